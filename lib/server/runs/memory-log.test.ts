import { describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/run/events";
import { encodeRunEvent } from "@/lib/run/sse";
import type { RunLog } from "./log";
import { MemoryRunLogEngine } from "./memory-log";

const never = new AbortController().signal;

const turn = (seq: number): RunEvent => ({ seq, t: seq, type: "turn_start" });
const end = (seq: number): RunEvent => ({ seq, t: seq, type: "agent_end", messages: [] });

function newLog(): RunLog {
  return new MemoryRunLogEngine().create("run-1") as RunLog;
}

async function readAll(log: RunLog, after = 0, signal = never): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of log.read(after, signal)) pieces.push(piece);
  return pieces;
}

const numbers = (pieces: string[]): number[] =>
  [...pieces.join("").matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));

describe("MemoryRunLogEngine", () => {
  it("gives every reader every event from its number on, and ends with the log", async () => {
    const log = newLog();
    void log.append(turn(1));
    const early = readAll(log);
    const fromTwo = readAll(log, 2);
    void log.append(turn(2));
    void log.append(turn(3));
    void log.append(end(4));
    expect(numbers(await early)).toEqual([1, 2, 3, 4]);
    expect(numbers(await fromTwo)).toEqual([3, 4]);
    expect(numbers(await readAll(log, 3))).toEqual([4]);
    expect(await readAll(log, 4)).toEqual([]);
    expect(await readAll(log, 99)).toEqual([]);
  });

  it("hands out what is ready as one piece", async () => {
    const log = newLog();
    const reading = readAll(log);
    const events = [turn(1), turn(2), end(3)];
    for (const event of events) void log.append(event);
    expect(await reading).toEqual([events.map(encodeRunEvent).join("")]);
  });

  it("lets a reader go when its signal aborts, and leaves no listener behind", async () => {
    const log = newLog();
    const leave = new AbortController();
    const added: string[] = [];
    const counted = new Proxy(leave.signal, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "addEventListener") added.push("added");
          if (name === "removeEventListener") added.pop();
          return Reflect.apply(value, target, args);
        };
      },
    });
    const reading = readAll(log, 0, counted);
    await new Promise((resolve) => setImmediate(resolve));
    expect(added).toEqual(["added"]);
    leave.abort();
    expect(await reading).toEqual([]);
    expect(added).toEqual([]);
  });

  it("refuses a gap and ignores what comes after the end", async () => {
    const log = newLog();
    expect(() => log.append(turn(2))).toThrow("does not follow");
    void log.append(end(1));
    void log.append(turn(2));
    expect(log).toMatchObject({ lastSeq: 1, ended: true });
  });

  it("never gives an id a second log, even when the first is gone", () => {
    const engine = new MemoryRunLogEngine();
    expect(engine.create("run-1")).toBeDefined();
    expect(engine.create("run-1")).toBeUndefined();
    engine.remove("run-1");
    expect(engine.open("run-1")).toBeUndefined();
    expect(engine.create("run-1")).toBeUndefined();
  });

  it("forgets the oldest finished log when all together are too large", () => {
    const engine = new MemoryRunLogEngine(170);
    const logs = ["run-1", "run-2", "run-3"].map((id) => engine.create(id) as RunLog);
    void logs[0]?.append(turn(1));
    void logs[1]?.append(end(1));
    void logs[2]?.append(end(1));
    void logs[0]?.append(turn(2));
    const kept = ["run-1", "run-2", "run-3"].filter((id) => engine.open(id));
    expect(kept).toEqual(["run-1", "run-3"]);
  });
});
