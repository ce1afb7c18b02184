const LONGEST = 120;

/** One line that says what a call asks for: its only or first plain argument, else the arguments as they are. */
export function toolSummary(args: unknown, argsText?: string): string {
  if (argsText !== undefined) return oneLine(firstString(argsText) ?? argsText);
  if (typeof args !== "object" || args === null) return "";
  const values = Object.values(args);
  if (values.length === 0) return "";
  const plain = values.filter((value) => typeof value === "string" || typeof value === "number");
  if (plain.length === values.length) return oneLine(plain.join(" · "));
  return oneLine(JSON.stringify(args));
}

/** The first text value of JSON that may end anywhere. */
function firstString(json: string): string | undefined {
  const value = /:\s*"((?:[^"\\]|\\.)*)/.exec(json)?.[1];
  return value?.replace(/\\n/g, " ").replace(/\\(.)/g, "$1");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
