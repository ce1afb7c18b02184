const LONGEST = 120;

/** One line that says what a call asks for: its only or first plain argument, else the arguments as they are. */
export function toolSummary(args: unknown, argsText?: string): string {
  if (argsText !== undefined) return oneLine(argsText);
  if (typeof args !== "object" || args === null) return "";
  const values = Object.values(args);
  if (values.length === 0) return "";
  const plain = values.filter((value) => typeof value === "string" || typeof value === "number");
  if (plain.length === values.length) return oneLine(plain.join(" · "));
  return oneLine(JSON.stringify(args));
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
