import type { Split } from "./replay-server";

/** `--chunk N|random` and `--seed S`. Ends the process with 2 and a sentence when they make no sense. */
export function readSplit(chunk: string | undefined, seed = "1"): Split | undefined {
  if (chunk === undefined) return undefined;
  const size = Number(chunk);
  if (chunk === "random" && Number.isInteger(Number(seed))) return { seed: Number(seed) };
  if (Number.isInteger(size) && size > 0) return size;
  console.error('--chunk takes a whole number above 0 or "random"; --seed takes a whole number.');
  process.exit(2);
}
