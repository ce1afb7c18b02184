/** What every engine promises. What only one does is in the tests beside it. */

import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { RunEvent } from "@/lib/run/events";
import { encodeRunEvent } from "@/lib/run/sse";
import type { RunLog, RunLogEngine } from "./log";
import { MemoryRunLogEngine } from "./memory-log";
import { RedisRunLogEngine } from "./redis/engine";
import { startTestRedis } from "./testing/redis-server";

const redis = await startTestRedis();
afterAll(() => redis?.stop());

const never = new AbortController().signal;

const turn = (seq: number): RunEvent => ({ seq, t: seq, type: "turn_start" });
const end = (seq: number): RunEvent => ({ seq, t: seq, type: "agent_end", messages: [] });

async function readAll(log: RunLog, after = 0, signal = never): Promise<string> {
  let text = "";
  for await (const piece of log.read(after, signal)) text += piece;
  return text;
}

const framesOf = (events: RunEvent[]): string => events.map(encodeRunEvent).join("");

const engines: [name: string, make: (() => RunLogEngine) | undefined][] = [
  ["memory", () => new MemoryRunLogEngine()],
  [
    "Redis",
    redis && (() => new RedisRunLogEngine({ url: redis.url, keepMs: 60_000, minKeepMs: 1 })),
  ],
];

describe.each(engines.filter(([, make]) => make))("a run log in %s", (_name, make) => {
  const made: RunLogEngine[] = [];
  const newEngine = (): RunLogEngine => {
    const engine = (make as () => RunLogEngine)();
    made.push(engine);
    return engine;
  };
  const newId = (): string => `run-${crypto.randomUUID()}`;
  async function newLog(engine = newEngine(), runId = newId()): Promise<RunLog> {
    return (await engine.create(runId)) as RunLog;
  }

  afterEach(async () => {
    for (const engine of made.splice(0)) await engine.close();
  });

  it("gives every reader every event from its number on, and ends with the log", async () => {
    const log = await newLog();
    void log.append(turn(1));
    const early = readAll(log);
    const fromTwo = readAll(log, 2);
    const beyond = readAll(log, 99);
    const events = [turn(2), turn(3), end(4)];
    for (const event of events) void log.append(event);
    expect(await early).toBe(framesOf([turn(1), ...events]));
    expect(await fromTwo).toBe(framesOf(events.slice(1)));
    expect(await beyond).toBe("");
    expect(await readAll(log, 3)).toBe(framesOf([end(4)]));
    expect(await readAll(log, 4)).toBe("");
  });

  it("is whole and in order however much comes at once", async () => {
    const engine = newEngine();
    const runId = newId();
    const log = await newLog(engine, runId);
    const live = readAll(log);
    const long = "語\\n".repeat(40_000);
    const events: RunEvent[] = Array.from({ length: 3000 }, (_, index) => ({
      seq: index + 1,
      t: index / 8,
      type: "tool_execution_update",
      toolCallId: "c",
      toolName: "t",
      args: {},
      partialResult: index % 500 === 7 ? long : index,
    }));
    events.push(end(3001));
    for (const event of events) await log.append(event);
    expect(await live).toBe(framesOf(events));
    const opened = (await engine.open(runId)) as RunLog;
    expect(opened).toMatchObject({ lastSeq: 3001, ended: true });
    expect(await readAll(opened, 2990)).toBe(framesOf(events.slice(2990)));
  });

  it("is safe when the end has been taken", async () => {
    const log = await newLog();
    void log.append(turn(1));
    await log.append(end(2));
    expect(log).toMatchObject({ lastSeq: 2, ended: true });
    expect(await readAll(log)).toBe(framesOf([turn(1), end(2)]));
  });

  it("refuses a gap and ignores what comes after the end", async () => {
    const log = await newLog();
    expect(() => log.append(turn(2))).toThrow("does not follow");
    await log.append(end(1));
    await log.append(turn(2));
    expect(log).toMatchObject({ lastSeq: 1, ended: true });
    expect(await readAll(log)).toBe(framesOf([end(1)]));
  });

  it("lets a reader go when its signal aborts", async () => {
    const log = await newLog();
    await log.append(turn(1));
    const leave = new AbortController();
    const pieces = log.read(0, leave.signal)[Symbol.asyncIterator]();
    expect(await pieces.next()).toEqual({ done: false, value: framesOf([turn(1)]) });
    const waiting = pieces.next();
    leave.abort();
    expect((await waiting).done).toBe(true);
    expect(await readAll(log, 0, leave.signal)).toBe("");
  });

  it("starts an id once, also when many try at the same time", async () => {
    const engine = newEngine();
    const runId = newId();
    expect(await engine.open(runId)).toBeUndefined();
    const created = await Promise.all([1, 2, 3].map(async () => engine.create(runId)));
    expect(created.filter((log) => log)).toHaveLength(1);
    expect(await engine.open(runId)).toMatchObject({ lastSeq: 0, ended: false });
  });

  it("keeps an ended log for its time, and its id for longer", async () => {
    const engine = redis && _name === "Redis" ? shortLived(redis.url) : newEngine();
    made.push(engine);
    const runId = newId();
    const log = await newLog(engine, runId);
    await log.append(end(1));
    await engine.expire(runId, 20);
    await vi.waitFor(async () => expect(await engine.open(runId)).toBeUndefined());
    expect(await engine.create(runId)).toBeUndefined();
    expect(await engine.send(runId, { type: "abort" })).toBeUndefined();
  });

  it("knows that a run is over, and one that it has never had", async () => {
    const engine = newEngine();
    const runId = newId();
    const log = await newLog(engine, runId);
    await log.append(end(1));
    await engine.expire(runId, 60_000);
    expect(await engine.send(runId, { type: "abort" })).toBe("ended");
    expect(await engine.send(newId(), { type: "abort" })).toBeUndefined();
  });
});

function shortLived(url: string): RunLogEngine {
  return new RedisRunLogEngine({ url, keepMs: 20, minKeepMs: 1 });
}
