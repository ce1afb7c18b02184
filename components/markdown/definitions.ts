/** Link and footnote definitions stand anywhere in a message; a piece that is parsed alone must be told of them. */

const DEFINITION = /^ {0,3}\[([^\]\n]+)\]:[^\n]*(?:\n(?: {4}|\t)[^\n]*)*/gm;
const REFERENCE = /\[([^[\]\n]+)\]/g;

/** The definitions of a message by their label. Each finished piece is looked at once, however often the text grows. */
export class Definitions {
  private pieces: readonly string[] = [];
  private finished: ReadonlyMap<string, string> = new Map();

  /** Those of the finished pieces and of the tail; the same map as long as there are no others. */
  update(closed: readonly string[], tail: string): ReadonlyMap<string, string> {
    if (closed !== this.pieces) {
      const continued = this.pieces.every((piece, index) => piece === closed[index]);
      const found = definitionsIn(continued ? closed.slice(this.pieces.length) : closed);
      if (!continued) this.finished = found;
      else if (found.size > 0) this.finished = new Map([...found, ...this.finished]);
      this.pieces = closed;
    }
    const open = definitionsIn([tail]);
    return open.size > 0 ? new Map([...open, ...this.finished]) : this.finished;
  }
}

/** Markdown of the definitions that `piece` refers to and does not hold itself, to put behind it; usually "". */
export function definitionsFor(piece: string, definitions: ReadonlyMap<string, string>): string {
  if (definitions.size === 0 || !piece.includes("[")) return "";
  const labels = new Set<string>();
  for (const match of piece.matchAll(REFERENCE)) labels.add(match[1]?.toLowerCase() ?? "");
  let text = "";
  for (const label of labels) {
    const definition = definitions.get(label);
    if (definition && !piece.includes(definition)) text += `\n\n${definition}`;
  }
  return text;
}

/** The first definition of a label counts. */
function definitionsIn(pieces: readonly string[]): Map<string, string> {
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
