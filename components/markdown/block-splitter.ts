/**
 * Cuts markdown into pieces that can be parsed on their own, so that a streamed answer re-parses its last piece only.
 *
 * A border is a blank line at the top level that nothing can continue across. In doubt there is none: a piece may hold
 * several blocks, which costs time and never correctness. Closed pieces do not depend on what comes after them, so
 * splitting a prefix gives a prefix of the pieces (a property test holds this). Whether a line that is still being
 * written belongs to the list above it may be open; it stays in the tail until that is known.
 *
 * A list that grows long is cut between two of its outermost items: it would be parsed anew with every delta otherwise.
 */

const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/;
const MATH_FENCE = /^ {0,3}(\${2,})[^$]*$/;
const LIST_MARKER = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
/** What may still become a list marker by the next character. */
const MAYBE_LIST_MARKER = /^ {0,3}(?:[-+*]|\d{1,9}[.)]?)?$/;
/** The first line of an outermost item, beyond doubt even while the line is being written; its number, if it has one. */
const OUTER_ITEM = /^(?:[-+*]|(\d{1,9})[.)])[ \t]/;
/** An item that begins a list in the middle of a paragraph. */
const BREAKS_PARAGRAPH = /^(?:[-+*]|1[.)])[ \t]+\S/;
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]+\]:/;
/** HTML that goes on across blank lines, with what ends it. */
const LONG_HTML: readonly [start: RegExp, end: RegExp][] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
  [/^ {0,3}<![A-Za-z]/, />/],
];

/** Characters of a list after which its next outermost item begins another piece. */
const LONG_LIST = 3000;

type Open =
  | { kind: "fence"; marker: string; indent: number; inList: boolean }
  | { kind: "math"; length: number }
  | { kind: "html"; end: RegExp };

export interface SplitResult {
  /** Pieces that will not change any more. */
  closed: string[];
  /** Where the rest begins. */
  tailStart: number;
}

/** Splits `source` from `start` on, which must be 0 or an earlier `tailStart`. */
export function splitBlocks(source: string, start = 0): SplitResult {
  const closed: string[] = [];
  let blockStart = start;
  let open: Open | undefined;
  let inContainer = false;
  /** The number of the last outermost item (bullets have 0); undefined outside a list. */
  let lastItem: number | undefined;
  let hasContent = false;
  let afterBlank = false;
  let position = start;

  while (position < source.length) {
    const newline = source.indexOf("\n", position);
    const partial = newline === -1;
    const lineEnd = partial ? source.length : newline;
    const line = source.slice(position, lineEnd).replace(/\r$/, "");
    const blank = line.trim() === "";

    if (open?.kind === "fence" && open.inList && !blank && indentOf(line) < open.indent) {
      open = undefined; // the list item ended, and the fence inside it
    }
    if (open) {
      if (closes(open, line)) open = undefined;
      afterBlank = false;
      hasContent = true;
    } else if (blank) {
      afterBlank = hasContent;
    } else {
      if (afterBlank) {
        const undecided = partial && inContainer && MAYBE_LIST_MARKER.test(line);
        if (undecided) break;
      }
      const ends = afterBlank && startsBlock(line, inContainer);
      const item = itemNumber(line);
      if (ends || (position - blockStart > LONG_LIST && continuesAlone(item, lastItem))) {
        closed.push(source.slice(blockStart, position));
        blockStart = position;
        inContainer = false;
        lastItem = undefined;
      }
      if (item !== undefined) {
        const starts = afterBlank || position === blockStart || BREAKS_PARAGRAPH.test(line);
        if (starts || lastItem !== undefined) lastItem = item;
      }
      afterBlank = false;
      hasContent = true;
      if (LIST_MARKER.test(line) || FOOTNOTE.test(line)) inContainer = true;
      if (!partial) open = opens(line, inContainer);
    }
    if (partial) break;
    position = newline + 1;
  }
  return { closed, tailStart: blockStart };
}

/** After a blank line: can this line belong to nothing above it? */
function startsBlock(line: string, inContainer: boolean): boolean {
  const indent = indentOf(line);
  if (indent >= 4) return false;
  if (!inContainer) return true;
  return indent < 2 && !LIST_MARKER.test(line);
}

function itemNumber(line: string): number | undefined {
  const item = OUTER_ITEM.exec(line);
  return item ? Number(item[1] ?? 0) : undefined;
}

/** May a piece begin with this item? A list whose numbers do not grow would begin to count anew. */
function continuesAlone(item: number | undefined, lastItem: number | undefined): boolean {
  if (item === undefined || lastItem === undefined) return false;
  return item === 0 ? lastItem === 0 : item === lastItem + 1;
}

function opens(line: string, inContainer: boolean): Open | undefined {
  const fence = FENCE.exec(line);
  if (fence) {
    const [, indent = "", marker = "", info = ""] = fence;
    if (marker.startsWith("`") && info.includes("`")) return undefined;
    return {
      kind: "fence",
      marker,
      indent: indent.length,
      inList: inContainer && indent.length > 0,
    };
  }
  const math = MATH_FENCE.exec(line);
  if (math?.[1]) return { kind: "math", length: math[1].length };
  for (const [startsHtml, end] of LONG_HTML) {
    if (startsHtml.test(line)) return end.test(line) ? undefined : { kind: "html", end };
  }
  return undefined;
}

function closes(open: Open, line: string): boolean {
  const text = line.trim();
  switch (open.kind) {
    case "fence":
      return (
        text.length >= open.marker.length &&
        indentOf(line) < 4 &&
        text === (open.marker[0] ?? "`").repeat(text.length)
      );
    case "math":
      return text.length >= open.length && text === "$".repeat(text.length);
    case "html":
      return open.end.test(line);
  }
}

function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}
