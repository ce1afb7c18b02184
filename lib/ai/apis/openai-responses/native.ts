import type { OpenAIResponsesCompat } from "../../compat.ts";
import type { ToolNames } from "../../tool-names.ts";
import type { AssistantMessage } from "../../types.ts";
import { isLoose, type Loose, listOf, stringOf } from "./loose.ts";
import { isReplayable } from "./orphans.ts";

/** Calls of server-side kinds that somebody else must have answered before they may be sent again. */
const answeredElsewhere = new Set([
  "computer_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
  "tool_search_call",
]);

/**
 * The vendor's own items of an answer, to be sent back as they came (P-401). undefined when there are none, when the blocks
 * no longer say the same, or when the vendor would refuse one of them: the blocks go instead.
 */
export function nativeItems(
  message: AssistantMessage,
  compat: OpenAIResponsesCompat,
  names: ToolNames,
): Loose[] | undefined {
  if (message.native?.api !== message.api) return undefined;
  const items = message.native.items.filter(isLoose);
  if (!saysTheSame(items, message, names)) return undefined;
  const answers = new Set(
    items.filter((item) => String(item.type).endsWith("_output")).map((item) => item.call_id),
  );
  const isOpen = (item: Loose): boolean =>
    answeredElsewhere.has(String(item.type)) &&
    item.execution !== "server" &&
    !answers.has(item.call_id);
  const result: Loose[] = [];
  let follower = false;
  for (const item of [...items].reverse()) {
    if (item.type === "reasoning") {
      if (!isReplayable(item, compat)) return undefined;
      if (!follower) continue;
    } else if (isOpen(item)) {
      follower = false;
      continue;
    } else {
      follower = true;
    }
    result.unshift(item);
  }
  return result;
}

/** An answer may have been edited, or a call of it left out, since it was kept. */
function saysTheSame(items: Loose[], message: AssistantMessage, names: ToolNames): boolean {
  const texts = items
    .filter((item) => item.type === "message")
    .flatMap((item) => listOf(item.content));
  const text = texts.map((part) => stringOf(part.text) ?? stringOf(part.refusal) ?? "").join("");
  const shown = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const calls = items
    .filter((item) => item.type === "function_call" || item.type === "custom_tool_call")
    .map((item) => item.name);
  const blocks = message.content.filter((block) => block.type === "toolCall");
  return (
    text === shown &&
    calls.length === blocks.length &&
    calls.every((name, index) => name === names.toVendor(blocks[index]?.name ?? ""))
  );
}
