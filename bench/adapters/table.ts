import { type CaseName, cases } from "./cases";

/** ms of CPU a request. */
export interface Row {
  api: string;
  name: CaseName;
  loop: number;
  sdk: number;
  ours: number;
  /** The loop on a request that the SDK sends; for short requests only. */
  sent: number;
}

/** How many times the bare loop is enough. */
const limits: Partial<Record<CaseName, number>> = { text: 1.5, arguments200: 1.9, short: 1.3 };
/** How many times 100 KB of arguments 200 KB may cost. */
const growthLimit = 2.2;

export function table(rows: Row[]): string {
  const lines = [["api", "body", "loop", "SDK", "ours", "SDK/loop", "ours/loop", "wanted"]];
  for (const row of rows) lines.push(...rowLines(row));
  for (const whole of rows.filter(({ name }) => name === "arguments200")) {
    const half = rows.find(({ api, name }) => api === whole.api && name === "arguments100");
    if (half) lines.push(growthLine(whole, half));
  }
  return aligned(lines);
}

function rowLines({ api, name, loop, sdk, ours, sent }: Row): string[][] {
  const line = (title: string, base: number, limit: number | undefined): string[] => [
    api,
    title,
    ...[base, sdk, ours, sdk / base, ours / base].map((figure) => figure.toFixed(2)),
    wanted(ours / base, limit),
  ];
  const { title } = cases[name];
  if (name !== "short") return [line(title, loop, limits[name])];
  return [line(title, loop, limits.short), line("  loop: sent by the SDK", sent, undefined)];
}

function growthLine(whole: Row, half: Row): string[] {
  const growths = [whole.loop / half.loop, whole.sdk / half.sdk, whole.ours / half.ours];
  const figures = growths.map((growth) => growth.toFixed(2));
  const verdict = wanted(whole.ours / half.ours, growthLimit);
  return [whole.api, "200 KB over 100 KB", ...figures, "", "", verdict];
}

function wanted(ratio: number, limit: number | undefined): string {
  if (limit === undefined) return "";
  return ratio <= limit ? `<= ${limit}` : `<= ${limit}, missed`;
}

const firstNumber = 2;
const lastNumber = 6;

function aligned(lines: string[][]): string {
  const width = (column: number): number =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const pad = (cell: string, column: number): string =>
    column >= firstNumber && column <= lastNumber
      ? cell.padStart(width(column))
      : cell.padEnd(width(column));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}
