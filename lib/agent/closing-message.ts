/** Assistant messages that the loop makes itself, where no model answered. */

import type {
  AssistantContent,
  AssistantMessage,
  ErrorClass,
  ErrorReason,
  Model,
  ThinkingLevel,
} from "../ai/types.ts";
import { emptyUsage } from "../ai/usage.ts";
import type { AgentMessage } from "./types.ts";

/** The one wording for an aborted answer. */
export const ABORTED_TEXT = "The run was aborted.";

interface Closing {
  model: Model;
  thinkingLevel: ThinkingLevel;
  stopReason: ErrorReason;
  errorMessage: string;
  errorClass: ErrorClass;
  content?: AssistantContent[];
}

export function closingMessage(closing: Closing): AssistantMessage {
  const timestamp = Date.now();
  return {
    role: "assistant",
    content: closing.content ?? [],
    api: closing.model.api,
    provider: closing.model.provider,
    model: closing.model.id,
    thinkingLevel: closing.thinkingLevel,
    usage: emptyUsage(),
    stopReason: closing.stopReason,
    errorMessage: closing.errorMessage,
    diagnostics: [
      {
        type: "agent_loop",
        timestamp,
        error: { message: closing.errorMessage },
        details: { class: closing.errorClass },
      },
    ],
    timestamp,
  };
}

export function abortedMessage(model: Model, thinkingLevel: ThinkingLevel): AssistantMessage {
  return closingMessage({
    model,
    thinkingLevel,
    stopReason: "aborted",
    errorMessage: ABORTED_TEXT,
    errorClass: "aborted",
  });
}

/** An answer that broke off on our side: what had arrived stays, cut loose from the adapter that may still write to it. */
export function brokenOff(
  partial: AssistantMessage,
  stopReason: ErrorReason,
  errorMessage: string,
): AssistantMessage {
  return {
    ...partial,
    content: structuredClone(partial.content),
    stopReason,
    errorMessage,
    diagnostics: [
      ...(partial.diagnostics ?? []),
      {
        type: "agent_loop",
        timestamp: Date.now(),
        error: { message: errorMessage },
        details: { class: stopReason === "aborted" ? "aborted" : "unknown" },
      },
    ],
  };
}

/** Whether a run that ended with this message can simply go on: it was stopped by a limit, not by the model (L-130). */
export function isTurnLimitMessage(message: AgentMessage): boolean {
  return (
    message.role === "assistant" &&
    message.stopReason === "error" &&
    (message.diagnostics ?? []).some((diagnostic) => diagnostic.details?.class === "turn-limit")
  );
}
