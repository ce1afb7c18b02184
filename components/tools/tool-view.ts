import type { ToolContent } from "@/lib/agent/types";
import type { ToolCall, ToolResultMessage } from "@/lib/ai/types";
import type { ToolRun, ToolState } from "@/lib/run/fold";

/** What a card draws of one tool call. */
export interface ToolView {
  state: ToolState;
  /** Absent as long as there is no result. */
  content?: ToolContent;
  durationMs?: number;
  /** What the tool says of its result to programs and cards. */
  details?: unknown;
}

/** What is known of a call besides the message that holds it. */
export interface ToolFacts {
  /** The stored result. */
  result?: ToolResultMessage;
  /** The call in the run that is being followed. */
  live?: ToolRun;
  /** The message that holds the call is still being answered. */
  active: boolean;
}

/** The stored result counts; before there is one, the live run; and a call that nothing is known of never ran. */
export function toolView(call: ToolCall, { result, live, active }: ToolFacts): ToolView {
  if (result) {
    return {
      state: result.isError ? failedState(result.details) : "done",
      content: result.content,
      durationMs: result.durationMs,
      details: result.details,
    };
  }
  if (live) {
    const content = live.result?.content ?? partialContent(live.partialResult);
    const details =
      live.result?.details ?? (live.partialResult as { details?: unknown } | undefined)?.details;
    return { state: live.state, content, durationMs: live.durationMs, details };
  }
  return { state: active && !call.argumentsError ? "pending" : "aborted" };
}

// The loop says in the details why it gave a result in the tool's place.
function failedState(details: unknown): ToolState {
  const outcome = (details as { outcome?: unknown } | null | undefined)?.outcome;
  return outcome === "denied" || outcome === "aborted" ? outcome : "error";
}

function partialContent(partial: unknown): ToolContent | undefined {
  const content = (partial as { content?: unknown } | null | undefined)?.content;
  return Array.isArray(content) ? (content as ToolContent) : undefined;
}
