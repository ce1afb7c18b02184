/** Results of tool calls: made by a tool, or by the loop in its place. */

import type { ToolCall, ToolResultMessage } from "../ai/types.ts";
import type { AgentToolResult, ToolContent } from "./types.ts";

export interface CallOutcome {
  result: AgentToolResult;
  isError: boolean;
  /** Of `execute` alone; absent when it did not run (L-065). */
  durationMs?: number;
}

/** Why the loop gave the result itself; `details.outcome`, by which a card tells "denied" from "failed". */
export type FailedOutcome = "aborted" | "denied" | "timeout";

export function failedCall(text: string, outcome?: FailedOutcome): CallOutcome {
  const result: AgentToolResult = {
    content: [{ type: "text", text }],
    details: outcome ? { outcome } : {},
    isError: true,
  };
  return { result, isError: true };
}

/** What a tool returned, in the shape that everything after it relies on. Tools come from anywhere. */
export function readToolResult(returned: unknown): CallOutcome {
  if (typeof returned !== "object" || returned === null) {
    return failedCall("The tool returned no result.");
  }
  const result = returned as AgentToolResult;
  const isError = result.isError === true;
  return { result: { ...result, content: readContent(result.content) }, isError };
}

function readContent(content: unknown): ToolContent {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isContentBlock);
}

function isContentBlock(block: unknown): block is ToolContent[number] {
  if (typeof block !== "object" || block === null || !("type" in block)) return false;
  if (block.type === "text") return "text" in block && typeof block.text === "string";
  return (
    block.type === "image" &&
    "data" in block &&
    typeof block.data === "string" &&
    "mimeType" in block &&
    typeof block.mimeType === "string"
  );
}

/** What an `afterToolCall` hook changes, field by field (section 3). */
export function amendOutcome(
  outcome: CallOutcome,
  changes: Partial<AgentToolResult> | undefined,
): CallOutcome {
  if (!changes) return outcome;
  const result: AgentToolResult = { ...outcome.result };
  if (changes.content !== undefined) {
    result.content = readContent(changes.content);
    // The old structured form would no longer say the same as the content.
    delete result.structuredContent;
  }
  if (changes.details !== undefined) result.details = changes.details;
  if (changes.usage !== undefined) result.usage = changes.usage;
  if (changes.terminate !== undefined) result.terminate = changes.terminate;
  if (changes.structuredContent !== undefined) {
    result.structuredContent = changes.structuredContent;
  }
  const isError = changes.isError ?? outcome.isError;
  result.isError = isError;
  return { ...outcome, result, isError };
}

/** The message for the transcript; `structuredContent` and `terminate` stay behind (L-064). */
export function toolResultMessage(call: ToolCall, outcome: CallOutcome): ToolResultMessage {
  const { result } = outcome;
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: result.content,
    isError: outcome.isError,
    timestamp: Date.now(),
  };
  if (result.details !== undefined) message.details = result.details;
  if (result.usage !== undefined) message.usage = result.usage;
  if (outcome.durationMs !== undefined) message.durationMs = outcome.durationMs;
  return message;
}
