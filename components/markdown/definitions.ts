/** Link and footnote definitions stand anywhere in a message; a piece that is parsed alone must be told of them. */

const DEFINITION = /^ {0,3}\[([^\]\n]+)\]:[^\n]*(?:\n(?: {4}|\t)[^\n]*)*/gm;

/** The definitions that stand in the given pieces, by their label. */
export function collectDefinitions(pieces: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const piece of pieces) {
    if (!piece.includes("]:") || /^ {0,3}(?:```|~~~)/.test(piece)) continue;
    for (const match of piece.matchAll(DEFINITION)) {
      const label = match[1]?.toLowerCase();
      if (label && !found.has(label)) found.set(label, match[0]);
    }
  }
  return found;
}

/** The definitions that `piece` refers to and does not hold itself, as markdown to put behind it; usually "". */
export function definitionsFor(piece: string, definitions: ReadonlyMap<string, string>): string {
  if (definitions.size === 0 || !piece.includes("[")) return "";
  const lower = piece.toLowerCase();
  let text = "";
  for (const [label, definition] of definitions) {
    if (lower.includes(`[${label}]`) && !piece.includes(definition)) text += `\n\n${definition}`;
  }
  return text;
}
