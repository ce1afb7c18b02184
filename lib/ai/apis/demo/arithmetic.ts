const words: [RegExp, string][] = [
  [/\bplus\b/gi, "+"],
  [/\bminus\b/gi, "-"],
  [/\b(times|multiplied by)\b/gi, "*"],
  [/\b(divided by|over)\b/gi, "/"],
  [/\bto the power of\b/gi, "^"],
  [/\bpercent\b/gi, "%"],
  [/[×·]/g, "*"],
  [/÷/g, "/"],
  [/−/g, "-"],
];

/** The arithmetic in a question as an expression, or undefined when there is none: "what is 12.5% of 840" -> "12.5% of 840". */
export function expressionIn(question: string): string | undefined {
  let text = question;
  for (const [pattern, sign] of words) text = text.replace(pattern, sign);
  const percent = /(\d+(?:\.\d+)?)\s*%\s*of\s*(\d[\d,]*(?:\.\d+)?)/i.exec(text);
  if (percent) return `${percent[1]} / 100 * ${(percent[2] as string).replaceAll(",", "")}`;
  const root =
    /square root of\s*(\d+(?:\.\d+)?)/i.exec(text) ?? /sqrt\(?\s*(\d+(?:\.\d+)?)\s*\)?/i.exec(text);
  if (root) return `sqrt(${root[1]})`;
  const formula = /[\d(][\d\s.,()+*/^-]*[+*/^-][\d\s.,()+*/^-]*[\d)]/.exec(text)?.[0];
  if (!formula || /^\d{4}-\d{1,2}-\d{1,2}$/.test(formula.trim())) return undefined;
  const expression = formula.replaceAll(/(\d),(?=\d{3}\b)/g, "$1").trim();
  return balanced(expression) ? expression : undefined;
}

function balanced(expression: string): boolean {
  let depth = 0;
  for (const character of expression) {
    if (character === "(") depth++;
    if (character === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
