import type { AssistantMessage, ErrorClass } from "@/lib/ai/types";
import type { RunFailure } from "./failure";

export type AdviceAction = "retry" | "settings" | "model" | "new-chat" | "wait" | "none";

/** What a failure card says: a short title, one or two sentences, and the button that helps. */
export interface Advice {
  title: string;
  advice: string;
  action: AdviceAction;
  /** With "wait": how long the vendor asked to wait. */
  waitMs?: number;
}

const ADVICE: Record<ErrorClass, Advice> = {
  auth: {
    title: "No valid API key",
    advice: "Add or correct this provider's API key in the settings, then try again.",
    action: "settings",
  },
  "rate-limit": {
    title: "Too many requests",
    advice: "The provider asks for a pause. Wait a moment and try again.",
    action: "wait",
  },
  quota: {
    title: "The account's credit is used up",
    advice: "Add credit with the provider, or use another model or key.",
    action: "model",
  },
  overloaded: {
    title: "The provider is overloaded",
    advice: "This passes by itself. Try again in a moment, or choose another model.",
    action: "retry",
  },
  "context-overflow": {
    title: "The conversation is too long for this model",
    advice: "Start a new chat, or choose a model with a larger context window.",
    action: "new-chat",
  },
  "content-filter": {
    title: "The provider refused the content",
    advice: "Say it in another way, or choose another model.",
    action: "model",
  },
  "invalid-request": {
    title: "The request was not accepted",
    advice: "Choose another model, or change the message and send it again.",
    action: "model",
  },
  "not-found": {
    title: "The model was not found",
    advice: "Choose another model; if you set a base URL, check it in the settings.",
    action: "model",
  },
  network: {
    title: "The connection failed",
    advice: "Check the network connection and the provider's address, then try again.",
    action: "retry",
  },
  timeout: {
    title: "No answer in time",
    advice: "Nothing came for too long. Try again; what had arrived is kept.",
    action: "retry",
  },
  "ended-early": {
    title: "The answer was cut off",
    advice: "What had arrived is kept. Try again to get a whole answer.",
    action: "retry",
  },
  aborted: {
    title: "Stopped",
    advice: "What had arrived is kept.",
    action: "none",
  },
  "turn-limit": {
    title: "The run reached its limit of turns",
    advice: "Send a message to let it go on.",
    action: "none",
  },
  unknown: {
    title: "Something went wrong",
    advice: "Try again, or choose another model.",
    action: "retry",
  },
};

const LENGTH_LIMIT: Advice = {
  title: "The answer reached its length limit",
  advice: "Send a message to let it go on.",
  action: "none",
};
const TOO_LARGE: Advice = {
  title: "The conversation is too large to send",
  advice: "Start a new chat, or send fewer or smaller attachments.",
  action: "new-chat",
};
const NO_ACCESS: Advice = {
  title: "This server needs its access token",
  advice: "Open Rill with the access link that its operator gave you, then try again.",
  action: "retry",
};
const SERVER_FAILED: Advice = {
  title: "Rill's server failed",
  advice: "Try again in a moment. Your message is kept.",
  action: "retry",
};
const OUT_OF_REACH: Advice = {
  title: "Rill's server cannot be reached",
  advice: "Check that it is running and that you are online, then try again. Your message is kept.",
  action: "retry",
};

/** The advice for an answer that failed or was stopped, or for a run that could not be started. */
export function adviceFor(failure: AssistantMessage | RunFailure): Advice {
  return "role" in failure ? adviceForAnswer(failure) : adviceForRun(failure);
}

function adviceForAnswer(message: AssistantMessage): Advice {
  if (message.stopReason === "aborted") return ADVICE.aborted;
  if (message.stopReason === "length") return LENGTH_LIMIT;
  // The last word counts: earlier diagnostics tell of attempts before it.
  const details = message.diagnostics?.findLast((entry) => entry.details?.class)?.details;
  const advice = ADVICE[details?.class ?? "unknown"] ?? ADVICE.unknown;
  return withWait(advice, details?.retryAfterMs);
}

function adviceForRun(failure: RunFailure): Advice {
  if (failure.status === 413) return TOO_LARGE;
  if (failure.code === "access-token") return NO_ACCESS;
  if (failure.status !== undefined && failure.status >= 500) return SERVER_FAILED;
  if (failure.class === "network") return OUT_OF_REACH;
  return withWait(ADVICE[failure.class] ?? ADVICE.unknown, failure.retryAfterMs);
}

function withWait(advice: Advice, waitMs: number | undefined): Advice {
  return waitMs === undefined ||
    waitMs <= 0 ||
    (advice.action !== "wait" && advice.action !== "retry")
    ? advice
    : { ...advice, action: "wait", waitMs };
}
