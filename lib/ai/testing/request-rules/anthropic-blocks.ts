import type { Model } from "../../types.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";
import { records } from "./rule.ts";

/** The blocks of a message; text alone stands for one text block. */
export function blocksOf(message: Loose | undefined): Loose[] {
  const content = message?.content;
  return typeof content === "string" ? [{ type: "text", text: content }] : records(content);
}

export function* allBlocks(body: Loose): Generator<[Loose, string, string]> {
  for (const [index, message] of records(body.messages).entries()) {
    for (const [place, block] of blocksOf(message).entries()) {
      yield [block, `messages[${index}].content[${place}]`, text(message.role)];
    }
  }
}

export const isThinkingBlock = (block: Loose | undefined): boolean =>
  block?.type === "thinking" || block?.type === "redacted_thinking";

export function thinkingType(body: Loose): string {
  return isRecord(body.thinking) ? text(body.thinking.type) : "disabled";
}

/** The generation of a Claude model, 4.6 as 406; 0 for another maker's. */
export function claudeVersion(model: Model): number {
  const match = /claude-[a-z]+-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model.id);
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : 0;
}
