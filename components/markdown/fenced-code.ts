import type { Root } from "mdast";

/** A piece that begins with a fence whose words need no decoding: marker, language, the rest of the info line, body. */
const FENCED = /^(`{3,}|~{3,})[ \t]*([\w+#.-]*)(?:[ \t]+([\w ="'.,:/{}-]*?))?[ \t]*\n/;

/**
 * The syntax tree of a piece that is one fenced code block, closed or still open, as the parser would give it; undefined for
 * anything else. A long program is one piece, and a parser would read it anew with every delta.
 */
export function parseFencedCode(piece: string): Root | undefined {
  const opening = FENCED.exec(piece);
  const marker = opening?.[1];
  if (!opening || !marker || piece.includes("\0") || piece.includes("\r")) return undefined;
  const bodyStart = opening[0].length;
  const closing = new RegExp(`^ {0,3}${marker[0]}{${marker.length},}[ \\t]*$`, "m").exec(
    piece.slice(bodyStart),
  );
  const bodyEnd = closing ? bodyStart + closing.index : piece.length;
  const end = closing ? bodyEnd + closing[0].length : piece.length;
  if (piece.slice(end).trim() !== "") return undefined;
  const start = { line: 1, column: 1, offset: 0 };
  return {
    type: "root",
    children: [
      {
        type: "code",
        lang: opening[2] || null,
        meta: opening[2] ? opening[3] || null : null,
        value: piece.slice(bodyStart, bodyEnd).replace(/\n$/, ""),
        position: { start, end: { ...start, offset: end } },
      },
    ],
  };
}
