import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
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

/** Parses one piece of markdown; undefined when it is built to break a parser and must be shown as it is. */
export function parseMarkdown(markdown: string, definitions = ""): ParsedBlock | undefined {
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
