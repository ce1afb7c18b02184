import type { AssistantContent, AssistantMessage, ErrorClass } from "@/lib/ai/types";
import { emptyUsage } from "@/lib/ai/usage";
import type { RunMessage, RunState } from "@/lib/run/fold";

export interface Interruption {
  runId: string;
  /** What was asked; for an answer that had not begun. */
  model: { provider: string; id: string; api?: string };
  stopReason: "error" | "aborted";
  class: ErrorClass;
  /** A sentence for people. */
  message: string;
  /** Ms since the epoch. */
  now: number;
}

/**
 * The end that a run gets in the browser when the server's log has none: what had arrived is kept, and the last answer
 * says that it was cut off. An answer that was whole stays as it is.
 */
export function interruptRun(state: RunState, interruption: Interruption): RunState {
  const messages = state.messages
    .filter((entry) => entry.complete || entry.message.role === "assistant")
    .map((entry) => (entry.complete ? entry : cutOff(entry, interruption)));
  if (!tellsItsEnd(messages.at(-1))) {
    messages.push({
      id: `interrupted-${interruption.runId}`,
      complete: true,
      message: withEnd(
        {
          role: "assistant",
          content: [],
          api: interruption.model.api ?? "unknown",
          provider: interruption.model.provider,
          model: interruption.model.id,
          usage: emptyUsage(),
          stopReason: "error",
          timestamp: interruption.now,
        },
        interruption,
      ),
    });
  }
  const tools = Object.fromEntries(
    Object.entries(state.tools).map(([id, tool]) => [
      id,
      tool.state === "pending" || tool.state === "running" || tool.state === "awaiting-approval"
        ? { ...tool, state: "aborted" as const }
        : tool,
    ]),
  );
  const { retry: _over, ...rest } = state;
  return {
    ...rest,
    status: "ended",
    interrupted: interruption.stopReason === "error",
    messages,
    tools,
  };
}

/** Nothing was to follow: a plain end, or one that says what went wrong. */
function tellsItsEnd(last: RunMessage | undefined): boolean {
  return last?.message.role === "assistant" && last.message.stopReason !== "toolUse";
}

function cutOff(entry: RunMessage, interruption: Interruption): RunMessage {
  if (entry.message.role !== "assistant") return { ...entry, complete: true };
  const { message } = entry;
  const content = message.content.map((block, index) => closeBlock(block, entry.argsText?.[index]));
  const usage = entry.usage ?? message.usage;
  return {
    id: entry.id,
    complete: true,
    message: withEnd({ ...message, content, usage }, interruption),
  };
}

function closeBlock(block: AssistantContent, argsText: string | undefined): AssistantContent {
  if (block.type !== "toolCall" || argsText === undefined) return block;
  return {
    ...block,
    argumentsError: `The call was cut off before its arguments were complete: ${argsText.slice(0, 500)}`,
  };
}

function withEnd(message: AssistantMessage, interruption: Interruption): AssistantMessage {
  return {
    ...message,
    stopReason: interruption.stopReason,
    errorMessage: interruption.message,
    diagnostics: [
      ...(message.diagnostics ?? []),
      {
        type: "run-interrupted",
        timestamp: interruption.now,
        details: { class: interruption.class },
      },
    ],
  };
}
