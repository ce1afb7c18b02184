import type { Nodes, Table } from "mdast";

/** A cell that a spreadsheet would run as a formula. A number may begin with its sign. */
const FORMULA = /^(?:[=@\t\r]|[+-](?!\d+(?:[.,]\d+)*%?$))/;

/** A table as CSV (RFC 4180). What a spreadsheet would take for a formula comes as text: a model wrote it. */
export function tableCsv(table: Table): string {
  return table.children
    .map((row) => row.children.map((cell) => csvField(plainText(cell))).join(","))
    .map((line) => `${line}\r\n`)
    .join("");
}

function csvField(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What a node says, without its marks. */
export function plainText(node: Nodes): string {
  if (node.type === "break" || (node.type === "html" && /^<br\s*\/?>$/i.test(node.value)))
    return "\n";
  if (node.type === "image" || node.type === "imageReference") return node.alt ?? "";
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(plainText).join("") : "";
}
