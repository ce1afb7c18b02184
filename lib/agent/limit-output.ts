import type { TextContent } from "../ai/types.ts";
import type { AgentToolResult, ToolContent } from "./types.ts";

/** Longest text of one tool result that a model gets, in UTF-16 units, unless the tool says otherwise. */
export const DEFAULT_MAX_OUTPUT_CHARS = 50_000;

/** The beginning says what a text is, the end how it came out; the beginning gets more. */
const HEAD_SHARE = 0.7;

/**
 * Cuts a result's text to `maxChars`: head, a note of how much is missing, tail (L-136). What was cut is kept for the
 * person in `details.fullOutput`, which no model ever gets. The same object when it fits.
 */
export function limitOutput(result: AgentToolResult, maxChars: number): AgentToolResult {
  const texts = result.content.filter((block): block is TextContent => block.type === "text");
  const text = texts.map((block) => block.text).join("\n");
  if (text.length <= maxChars) return result;
  return {
    ...result,
    content: replaceText(result.content, cutText(text, maxChars)),
    details: withFullOutput(result.details, text),
  };
}

/** All text becomes one block in the place of the first; images keep their order. */
function replaceText(content: ToolContent, text: string): ToolContent {
  const cut: TextContent = { type: "text", text };
  const first = content.findIndex((block) => block.type === "text");
  return content.flatMap((block, index): ToolContent => {
    if (index === first) return [cut];
    return block.type === "text" ? [] : [block];
  });
}

function cutText(text: string, maxChars: number): string {
  const headLength = Math.floor(maxChars * HEAD_SHARE);
  const tailLength = maxChars - headLength;
  // Only a pair split by the cut is mended: a half that the tool itself sent is not this function's business.
  const head = dropLastHalf(text.slice(0, headLength));
  const tail = dropFirstHalf(text.slice(text.length - tailLength));
  const missing = text.length - head.length - tail.length;
  const note =
    `[Truncated: ${missing} of ${text.length} characters are left out here. ` +
    "To see them, call the tool again for a smaller part, such as a range, a page or a filter.]";
  return `${head}\n\n${note}\n\n${tail}`;
}

const dropLastHalf = (text: string): string =>
  /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;

const dropFirstHalf = (text: string): string =>
  /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;

function withFullOutput(details: unknown, fullOutput: string): unknown {
  if (details === undefined || details === null) return { fullOutput };
  if (typeof details === "object" && !Array.isArray(details)) return { ...details, fullOutput };
  return { value: details, fullOutput };
}
