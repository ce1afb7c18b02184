import katex from "katex";
import "katex/dist/katex.min.css";

const LONGEST = 5000;
const KEPT = 500;
const cache = new Map<string, string | undefined>();

/** HTML and MathML of a formula; undefined when KaTeX cannot read it (yet). */
export function formulaHtml(tex: string, display: boolean): string | undefined {
  if (tex.length > LONGEST) return undefined;
  const key = `${display ? "D" : "T"}${tex}`;
  if (cache.has(key)) return cache.get(key);
  let html: string | undefined;
  try {
    html = katex.renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxExpand: 200,
      maxSize: 20,
    });
  } catch {
    html = undefined;
  }
  if (cache.size >= KEPT) cache.clear();
  cache.set(key, html);
  return html;
}
