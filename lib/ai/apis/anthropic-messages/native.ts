import type { ToolNames } from "../../tool-names.ts";
import type { AssistantMessage, Message } from "../../types.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";
import type { VendorBlock } from "./messages.ts";

const plainBlocks = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

/**
 * Whether an answer holds what our blocks cannot: server-side tools and their results, compaction, a change of model,
 * citations, a call that the vendor's own code made.
 */
export function needsNative(items: Loose[]): boolean {
  return items.some(
    (item) =>
      !plainBlocks.has(item.type as string) ||
      (Array.isArray(item.citations) && item.citations.length > 0) ||
      (isRecord(item.caller) && item.caller.type !== "direct"),
  );
}

/** The server-side calls of which some answer of the conversation holds the result: a paused turn's come with the next one. */
export function answeredServerCalls(messages: Message[]): ReadonlySet<unknown> {
  const items = messages.flatMap((message) =>
    message.role === "assistant" ? (message.native?.items ?? []) : [],
  );
  return new Set(items.filter(isRecord).map((item) => item.tool_use_id));
}

/**
 * The vendor's own blocks of an answer as they go back to it, or undefined when they are not there or no longer match the
 * calls of the message, whose results follow.
 * @param state `answered`: server-side calls with a result in any answer; `isLast`: nothing follows
 */
export function replayedNative(
  message: AssistantMessage,
  names: ToolNames,
  state: { answered: ReadonlySet<unknown>; isLast: boolean },
): VendorBlock[] | undefined {
  if (message.native?.api !== "anthropic-messages") return undefined;
  const items = withoutRefusedParts(message.native.items.filter(isRecord));
  const calls = message.content.filter((block) => block.type === "toolCall");
  const uses = items.filter((item) => item.type === "tool_use");
  if (
    uses.length !== calls.length ||
    uses.some((use, index) => use.id !== calls[index]?.id || !isRecord(use.input))
  ) {
    return undefined;
  }
  const own = new Set(items.map((item) => item.tool_use_id));
  const paused = message.endTurn === false;
  const waitedFor = new Set(uses.map((use) => isRecord(use.caller) && use.caller.tool_id));
  const blocks = items.filter((item) => {
    if (item.type === "text") return typeof item.text === "string" && item.text.trim() !== "";
    // A server-side call of which the result never came is refused, except where it waits for ours or the vendor paused.
    if (item.type === "server_tool_use" || item.type === "mcp_tool_use") {
      const goesOn = paused && (state.isLast || state.answered.has(item.id));
      return goesOn || own.has(item.id) || waitedFor.has(item.id);
    }
    return true;
  });
  if (blocks.length === 0) return undefined;
  let use = 0;
  return blocks.map((item) =>
    item.type === "tool_use"
      ? { ...item, name: names.toVendor(calls[use++]?.name as string) }
      : item,
  ) as VendorBlock[];
}

/** Where another model took over, what the first one thought is not for the vendor to see again; its text is. */
function withoutRefusedParts(items: Loose[]): Loose[] {
  const handover = items.findLastIndex((item) => item.type === "fallback");
  return items.filter(
    (item, index) =>
      index >= handover ||
      !["thinking", "redacted_thinking", "tool_use"].includes(item.type as string),
  );
}
