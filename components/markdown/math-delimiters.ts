/**
 * Models write formulas as `\( \)`, `\[ \]`, `$ $` and `$$ $$`, and prices with a dollar sign. Everything becomes dollars
 * here, and a single dollar that opens no formula is escaped, by pandoc's rule: no blank after the opening one, none
 * before the closing one, no digit after it. Code is left alone.
 */

/** Fences (closed or not), code spans, escapes and formulas, in that order of precedence. */
const PIECES =
  /(^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\2[`~]*[ \t]*$|(?![\s\S])))|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\3(?!`)|\\\[|\\\]|\\\(|\\\)|\\[\s\S]|\${2,}|\$/gm;

/** Rewrites the formulas of one block of markdown for a parser that knows dollars only. */
export function normalizeMath(source: string): string {
  if (!source.includes("$") && !source.includes("\\(") && !source.includes("\\[")) return source;
  const singles = new Set(mathDollars(source));
  return source.replace(PIECES, (piece, ...rest) => {
    const offset = rest.at(-2) as number;
    if (piece === "\\[" || piece === "\\]") return "$$";
    if (piece === "\\(" || piece === "\\)") return "$";
    if (piece === "$") return singles.has(offset) ? "$" : "\\$";
    return piece;
  });
}

/** Offsets of the single dollars that open or close a formula. */
function mathDollars(source: string): number[] {
  const found: number[] = [];
  let opening: number | undefined;
  let insideDouble = false;
  for (const match of source.matchAll(PIECES)) {
    const piece = match[0];
    const at = match.index;
    if (piece.startsWith("$$") || piece === "\\[" || piece === "\\]") {
      insideDouble = !insideDouble;
      opening = undefined;
    } else if (piece === "$" && insideDouble) {
      found.push(at);
    } else if (piece === "$") {
      const before = source[at - 1] ?? " ";
      const after = source[at + 1] ?? " ";
      const mayClose = !/\s/.test(before) && !/\d/.test(after);
      const gap = opening === undefined ? "" : source.slice(opening, at);
      if (opening !== undefined && mayClose && !gap.includes("\n\n")) {
        found.push(opening, at);
        opening = undefined;
      } else {
        opening = /\s/.test(after) ? undefined : at;
      }
    }
  }
  return found;
}
