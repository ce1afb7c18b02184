import type { AssistantMessage } from "@/lib/ai/types";
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

/** The advice for an answer that failed or was stopped, or for a run that could not be started. */
export function adviceFor(failure: AssistantMessage | RunFailure): Advice {
  throw new Error(`not written yet ${failure}`);
}
