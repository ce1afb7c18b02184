/** How the blocks of a page show in plain text: lines of their own, "#" before headings, "-" before items, "|" after cells. */

const blocks = new Set([
  ...["address", "article", "aside", "blockquote", "body", "dd", "details", "div", "dl", "dt"],
  ...["figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"],
  ...["hr", "main", "ol", "p", "pre", "section", "table", "tbody", "ul", "summary"],
]);

export function before(name: string): string {
  const heading = /^h([1-6])$/.exec(name)?.[1];
  if (heading) return `\n\n${"#".repeat(Number(heading))} `;
  if (name === "li") return "\n- ";
  if (name === "br" || name === "tr") return "\n";
  return blocks.has(name) ? "\n\n" : "";
}

export function after(name: string): string {
  if (name === "td" || name === "th") return " | ";
  return blocks.has(name) ? "\n\n" : "";
}
