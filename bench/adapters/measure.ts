import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectYoungGarbage = runInNewContext("gc") as (options: { type: "minor" }) => void;

/**
 * CPU time of the whole process, its helper threads too (garbage collection, compilation), that some work takes; in ms.
 * Young garbage of the run before is cleared first. A full collection is not forced: V8 would forget the shapes of objects
 * of which none is alive, and the run would measure how fast it learns them anew.
 */
async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  collectYoungGarbage({ type: "minor" });
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The median CPU time of each piece of work. Their runs take turns, so that whatever slows the machine down slows all of
 * them, in orders that let each follow each of the others equally often: what one leaves behind, another may have to clear.
 */
export async function interleaved<Name extends string>(
  works: Record<Name, () => Promise<unknown>>,
  runs: number,
  warmUps = 3,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let run = 0; run < warmUps + runs; run++) {
    for (const name of orderOf(names, run)) {
      const time = await cpuTime(works[name]);
      if (run >= warmUps) times[name]?.push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name] ?? [])])) as Record<
    Name,
    number
  >;
}

/** Each rotation, forwards and then backwards. */
function orderOf<Name>(names: Name[], run: number): Name[] {
  const start = Math.floor(run / 2) % names.length;
  const rotated = [...names.slice(start), ...names.slice(0, start)];
  return run % 2 === 0 ? rotated : rotated.reverse();
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
