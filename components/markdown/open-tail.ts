import remend from "remend";

const PARTIAL_FENCE = /(?:^|\n)[ \t]*(?:`{1,2}|`{3,}[^\n`]*|~{1,2}|~{3,}[^\n]*)$/;
/** A last line that is nothing but the mark of a list item, quote, heading or rule so far. */
const PARTIAL_MARK = /(?:^|\n)[ \t]*(?:[-+*]+|\d{1,9}[.)]?|#{1,6}|(?:>[ \t]?)+)[ \t]*$/;
/** An opening or closing mark of a code span, and an opening one of emphasis or of a link's text. */
const PARTIAL_SPAN = /(?<!`)`{1,2}$|(?:(?<=[\s(])|^)(?:[*_]{1,3}|~{1,2})$|!?\[$/;
/** A table's first line, and the second as long as it is not complete. */
const PARTIAL_TABLE = /(?:^|\n)[ \t]*\|[^\n]*(?:\n[ \t]*(?:\|[ \t:|-]*)?)?$/;
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;

/**
 * Makes a piece of markdown that is still being written fit to be shown: what the next characters will complete is either
 * completed or held back, so that no stray mark is seen and no block is drawn as another kind first.
 */
export function completeTail(source: string): string {
  const fence = lastFence(source);
  if (fence?.closed) return source;
  if (fence) return withoutPartialClosing(source, fence.marker);
  // A fence's opening line shows nothing until it is complete: its language would change with every letter.
  const held = source.replace(PARTIAL_FENCE, "").replace(PARTIAL_MARK, "");
  const text = withoutPartialTable(held).replace(PARTIAL_SPAN, "");
  return remend(text, { linkMode: "text-only", htmlTags: false, comparisonOperators: false });
}

/** A row of a table that is known already also looks like a table's first line. */
function withoutPartialTable(source: string): string {
  const match = PARTIAL_TABLE.exec(source);
  if (!match) return source;
  const before = source.slice(0, match.index);
  const lineAbove = before.slice(before.lastIndexOf("\n") + 1);
  return lineAbove.trimStart().startsWith("|") ? source : before;
}

/** The fence that `source` ends inside of, or whose closing line it ends with. */
function lastFence(source: string): { marker: string; closed: boolean } | undefined {
  let open: string | undefined;
  const lines = source.split("\n");
  const complete = lines.length - 1;
  for (let index = 0; index < complete; index += 1) {
    const match = FENCE_LINE.exec(lines[index] ?? "");
    const marker = match?.[1];
    if (!marker) continue;
    if (open === undefined) {
      if (!(marker.startsWith("`") && match[2]?.includes("`"))) open = marker;
    } else if (isClosing(lines[index] ?? "", open)) open = undefined;
  }
  if (open === undefined) return undefined;
  return { marker: open, closed: isClosing(lines[complete] ?? "", open) };
}

function isClosing(line: string, marker: string): boolean {
  const text = line.trim();
  const [character = "`"] = marker;
  return text.length >= marker.length && text === character.repeat(text.length);
}

/** Drops a last line that may be the beginning of the closing fence. */
function withoutPartialClosing(source: string, marker: string): string {
  const lineStart = source.lastIndexOf("\n") + 1;
  const last = source.slice(lineStart).trim();
  const [character = "`"] = marker;
  const partial = last.length > 0 && last === character.repeat(last.length);
  return partial ? source.slice(0, lineStart) : source;
}
