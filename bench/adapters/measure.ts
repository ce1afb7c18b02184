import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectYoungGarbage = runInNewContext("gc") as (options: { type: "minor" }) => void;

/** CPU time of the whole process, its helper threads too, that some work takes; in ms. */
export async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  // What the run before left behind is not this one's to clear away. A full collection would make V8 forget what it has learned.
  collectYoungGarbage({ type: "minor" });
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The median CPU time of each piece of work. Their runs take turns, so that whatever slows the machine down slows all of
 * them, and the order turns too.
 */
export async function interleaved<Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
  runs: number,
  warmUps = 2,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let run = -warmUps; run < runs; run++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + run + warmUps) % names.length] as Name;
      const time = await cpuTime(works[name]);
      if (run >= 0) times[name]?.push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name] ?? [])])) as Record<
    Name,
    number
  >;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
