import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import { parseFencedCode } from "./fenced-code";
import { normalizeMath } from "./math-delimiters";
import { isTooDeep } from "./too-deep";

export interface ParsedBlock {
  tree: Root;
  /** What the positions in `tree` count into. */
  source: string;
  /** How much of `source` is the piece itself; the rest are definitions from elsewhere. */
  ownLength: number;
}

const extensions = [gfm({ singleTilde: false }), math()];
const mdastExtensions = [gfmFromMarkdown(), mathFromMarkdown()];

/** Characters of a piece beyond which parsing would hold the page: what a growing one costs, it costs with every frame. */
const LONGEST = 60_000;
const LONGEST_OPEN = 20_000;

/**
 * Parses one piece of markdown; undefined when it is too long, or built to break a parser, and must be shown as it is.
 *
 * @param open the piece is still growing
 */
export function parseMarkdown(
  markdown: string,
  { definitions = "", open = false }: { definitions?: string; open?: boolean } = {},
): ParsedBlock | undefined {
  const code = parseFencedCode(markdown);
  if (code) return { tree: code, source: markdown, ownLength: markdown.length };
  if (markdown.length > (open ? LONGEST_OPEN : LONGEST)) return undefined;
  if (isTooDeep(markdown) || isTooDeep(definitions)) return undefined;
  const own = normalizeMath(markdown);
  const source = definitions ? `${own}${normalizeMath(definitions)}` : own;
  try {
    const tree = fromMarkdown(source, { extensions, mdastExtensions });
    return { tree, source, ownLength: own.length };
  } catch {
    return undefined;
  }
}
