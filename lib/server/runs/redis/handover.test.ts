/** Two instances on one Redis: whatever is done through one is as if done through the other. */

import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { UserMessage } from "@/lib/ai/types";
import type { RunEvent } from "@/lib/run/events";
import { decodeRunEvents } from "@/lib/run/sse";
import type { ActiveRun } from "../active-run";
import { RunRegistry } from "../registry";
import { eventStreamResponse } from "../sse-response";
import { startTestRedis } from "../testing/redis-server";
import { RedisRunLogEngine } from "./engine";
import { runKeys } from "./keys";

const redis = await startTestRedis();
afterAll(() => redis?.stop());

const url = redis?.url ?? "";
const user: UserMessage = { role: "user", content: "more", timestamp: 1 };

interface Instance {
  engine: RedisRunLogEngine;
  registry: RunRegistry;
}

const instances: Instance[] = [];

/** @param leaseMs long where a test does not let an instance die */
function instance(leaseMs = 60_000): Instance {
  const engine = new RedisRunLogEngine({ url, keepMs: 60_000, leaseMs });
  const registry = new RunRegistry({ engine, keepMs: 60_000, orphanMs: 60_000 });
  instances.push({ engine, registry });
  return { engine, registry };
}

afterEach(async () => {
  for (const { registry, engine } of instances.splice(0)) {
    await registry.interruptAll();
    await engine.close();
  }
});

const newId = (): string => `run-${crypto.randomUUID()}`;

async function* follow(registry: RunRegistry, runId: string, after = 0): AsyncGenerator<RunEvent> {
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const pieces = await registry.read(runId, after, leave.signal);
  if (!pieces) throw new Error("The run is not known.");
  const response = eventStreamResponse(pieces, leave, leave.signal);
  yield* decodeRunEvents(response.body as ReadableStream<Uint8Array>);
}

async function all(registry: RunRegistry, runId: string, after = 0): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of follow(registry, runId, after)) events.push(event);
  return events;
}

const numbers = (events: RunEvent[]): number[] => events.map(({ seq }) => seq);
const upTo = (last: number, after = 0): number[] =>
  Array.from({ length: last - after }, (_, index) => after + index + 1);

const aborted = (run: ActiveRun): Promise<void> =>
  new Promise((resolve) => run.signal.addEventListener("abort", () => resolve()));

/** A run that goes on until it is stopped. */
async function startEndless({ registry }: Instance, runId: string): Promise<ActiveRun> {
  let started: (run: ActiveRun) => void = () => {};
  const running = new Promise<ActiveRun>((resolve) => {
    started = resolve;
  });
  const isNew = await registry.start(runId, [], async (run) => {
    await run.writer.append({ type: "agent_start" });
    await run.writer.append({ type: "turn_start" });
    started(run);
    await aborted(run);
    await run.writer.append({ type: "agent_end", messages: [] });
  });
  expect(isNew).toBe(true);
  const state = runKeys(runId).state;
  await expect.poll(() => redis?.command("HGET", state, "last")).toBe("2");
  return running;
}

describe.skipIf(!redis)("two instances on one Redis", () => {
  it("start an id once, and both give all of its log from any number", async () => {
    const [a, b] = [instance(), instance()];
    const runId = newId();
    let works = 0;
    const work = async (run: ActiveRun): Promise<void> => {
      works++;
      for (let turn = 0; turn < 50; turn++) {
        await run.writer.append({ type: "turn_start" });
        if (turn % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      await run.writer.append({ type: "agent_end", messages: [] });
    };
    const started = await Promise.all(
      [a, b].map(({ registry }) => registry.start(runId, [], work)),
    );
    expect(started.toSorted()).toEqual([false, true]);
    const read = await Promise.all([
      all(a.registry, runId),
      all(b.registry, runId),
      all(a.registry, runId, 17),
      all(b.registry, runId, 17),
      all(b.registry, runId, 51),
    ]);
    expect(read.map(numbers)).toEqual([upTo(51), upTo(51), upTo(51, 17), upTo(51, 17), []]);
    expect(works).toBe(1);
    expect(read[1]).toEqual(read[0]);
  });

  it("follow live what the other runs", async () => {
    const [a, b] = [instance(), instance()];
    const runId = newId();
    const run = await startEndless(a, runId);
    const events = follow(b.registry, runId);
    expect((await events.next()).value).toMatchObject({ seq: 1, type: "agent_start" });
    expect((await events.next()).value).toMatchObject({ seq: 2 });
    const waiting = events.next();
    void run.writer.append({ type: "turn_start" });
    expect((await waiting).value).toMatchObject({ seq: 3, type: "turn_start" });
  });

  it("steer and queue through the other", async () => {
    const [a, b] = [instance(), instance()];
    const runId = newId();
    const run = await startEndless(a, runId);
    for (const mode of ["steer", "followUp"] as const) {
      const command = { type: "message", message: user, mode } as const;
      expect(await b.registry.command(runId, command)).toBe("done");
    }
    expect(run.takeSteering()).toEqual([user]);
    expect(run.takeFollowUp()).toEqual([user]);
    expect(run.peekQueued()).toEqual([]);
  });

  it("decide and answer a tool call through the other", async () => {
    const [a, b] = [instance(), instance()];
    const runId = newId();
    const run = await startEndless(a, runId);
    const decision = run.waitForDecision("call-1", run.signal);
    const result = run.waitForResult("call-2", run.signal);
    const deny = { type: "decision", decision: "deny", reason: "no" } as const;
    expect(await b.registry.command(runId, { ...deny, toolCallId: "call-9" })).toBe("not-waiting");
    expect(await b.registry.command(runId, { ...deny, toolCallId: "call-1" })).toBe("done");
    expect(await decision).toEqual({ decision: "deny", reason: "no" });
    expect(await b.registry.command(runId, { ...deny, toolCallId: "call-1" })).toBe("not-waiting");
    const content = [{ type: "text" as const, text: "42" }];
    expect(
      await b.registry.command(runId, {
        type: "result",
        toolCallId: "call-2",
        result: { content },
      }),
    ).toBe("done");
    expect(await result).toEqual({ content });
  });

  it("stop through the other, and say that it is over to who stops again", async () => {
    const [a, b] = [instance(), instance()];
    const runId = newId();
    await startEndless(a, runId);
    const reading = all(b.registry, runId);
    expect(await b.registry.command(runId, { type: "abort" })).toBe("done");
    expect((await reading).at(-1)).toMatchObject({ seq: 3, type: "agent_end" });
    expect(await b.registry.command(runId, { type: "abort" })).toBe("ended");
    expect(await b.registry.command(newId(), { type: "abort" })).toBeUndefined();
  });

  it("know of each other's readers", async () => {
    const [a, b] = [instance(), instance()];
    const runId = newId();
    await startEndless(a, runId);
    expect(await a.engine.idleMs(runId)).toBe(Number.POSITIVE_INFINITY);
    const events = follow(b.registry, runId);
    await events.next();
    await events.next();
    void events.next();
    await expect.poll(() => a.engine.idleMs(runId)).toBeLessThan(60_000);
  });

  it("lose and double nothing when every connection is cut, again and again", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const [a, b] = [instance(), instance()];
    const runId = newId();
    await a.registry.start(runId, [], async (run) => {
      for (let turn = 0; turn < 400; turn++) {
        await run.writer.append({ type: "turn_start" });
        await new Promise((resolve) => setImmediate(resolve));
        if (turn % 100 !== 50) continue;
        for (const type of ["normal", "pubsub"]) {
          await redis?.command("CLIENT", "KILL", "TYPE", type, "SKIPME", "yes");
        }
      }
      await run.writer.append({ type: "agent_end", messages: [] });
    });
    const read = await Promise.all([all(a.registry, runId), all(b.registry, runId, 3)]);
    expect(read.map(numbers)).toEqual([upTo(401), upTo(401, 3)]);
    expect(read[0].at(-1)).toEqual({ ...read[1].at(-1), messages: [] });
    expect(read[0].at(-1)).not.toHaveProperty("interrupted");
  });
});

describe.skipIf(!redis)("an instance that dies", () => {
  const interrupted = (seq: number) => ({
    seq,
    t: expect.any(Number),
    type: "agent_end",
    messages: [],
    interrupted: true,
  });

  it("leaves every reader with an end that says so, once", async () => {
    const [a, b, c] = [instance(200), instance(200), instance(200)];
    const runId = newId();
    await startEndless(a, runId);
    const live = [b, b, c].map(({ registry }) => all(registry, runId));
    await a.engine.close();
    for (const events of await Promise.all(live)) {
      expect(numbers(events)).toEqual([1, 2, 3]);
      expect(events[2]).toEqual(interrupted(3));
      expect(events[2]?.t).toBe(events[1]?.t);
    }
    expect(numbers(await all(c.registry, runId, 2))).toEqual([3]);
    expect(await b.registry.start(runId, [], async () => {})).toBe(false);
    expect(await b.registry.command(runId, { type: "abort" })).toBe("ended");
  });

  it("leaves one who comes later with the same", async () => {
    const [a, b] = [instance(200), instance(200)];
    const runId = newId();
    await startEndless(a, runId);
    await a.engine.close();
    expect((await all(b.registry, runId, 2))[0]).toEqual(interrupted(3));
  });

  it("before it wrote a word, leaves an end all the same", async () => {
    const [a, b] = [instance(200), instance(200)];
    const runId = newId();
    await a.engine.create(runId);
    await a.engine.close();
    expect(await all(b.registry, runId)).toEqual([{ ...interrupted(1), t: 0 }]);
  });

  it("is found dead by who tells its run something", async () => {
    const [a, b] = [instance(200), instance(200)];
    const runId = newId();
    await startEndless(a, runId);
    await a.engine.close();
    expect(await b.registry.command(runId, { type: "abort" })).toBe("ended");
    expect((await all(b.registry, runId)).at(-1)).toEqual(interrupted(3));
  });

  it("and was not dead stops its run and writes nothing more", async () => {
    const [a, b] = [instance(), instance()];
    const runId = newId();
    const run = await startEndless(a, runId);
    await redis?.command("DEL", runKeys(runId).lease);
    const events = await all(b.registry, runId);
    expect(events.at(-1)).toEqual(interrupted(3));
    const stopped = aborted(run);
    void run.writer.append({ type: "turn_start" });
    await stopped;
    expect(run.writer.ended).toBe(true);
    expect(await all(b.registry, runId)).toEqual(events);
    expect(await all(a.registry, runId)).toEqual(events);
  });

  it("lives as long as it says so", async () => {
    const [a, b] = [instance(150), instance(150)];
    const runId = newId();
    const run = await startEndless(a, runId);
    const reading = all(b.registry, runId);
    // Several times the lease, by the server's own clock.
    const key = runKeys(newId()).id;
    await redis?.command("SET", key, "1", "PX", "600");
    await expect.poll(() => redis?.command("EXISTS", key), { timeout: 5000 }).toBe(0);
    void run.writer.append({ type: "agent_end", messages: [] });
    const events = await reading;
    expect(numbers(events)).toEqual([1, 2, 3]);
    expect(events[2]).not.toHaveProperty("interrupted");
  });
});

describe("a Redis that is away", () => {
  it("is no crash and no start", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const nobody = "redis://127.0.0.1:1";
    const engine = new RedisRunLogEngine({ url: nobody, keepMs: 60_000, commandMs: 100 });
    const registry = new RunRegistry({ engine, keepMs: 60_000, orphanMs: 60_000 });
    const unavailable = { status: 503, code: "runs-unavailable" };
    const work = vi.fn(async () => {});
    await expect(registry.start(newId(), [], work)).rejects.toMatchObject(unavailable);
    await expect(registry.has(newId())).rejects.toMatchObject(unavailable);
    await expect(registry.command(newId(), { type: "abort" })).rejects.toMatchObject(unavailable);
    await engine.close();
    expect(work).not.toHaveBeenCalled();
  });

  it.skipIf(!redis)("is what a run waits for, and a reader of it too", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const [a, b] = [instance(), instance()];
    const runId = newId();
    const run = await startEndless(a, runId);
    const reading = all(b.registry, runId);
    // For half a second it answers nobody.
    await redis?.command("CLIENT", "PAUSE", "500", "ALL");
    void run.writer.append({ type: "turn_start" });
    await run.writer.append({ type: "agent_end", messages: [] });
    expect(numbers(await reading)).toEqual(upTo(4));
  });
});

describe.skipIf(!redis)("what is in Redis", () => {
  it("has an end in time, all of it, from the first event on", async () => {
    const a = instance();
    const runId = newId();
    await startEndless(a, runId);
    const { wake: _channel, ...keys } = runKeys(runId);
    for (const key of Object.values(keys)) {
      await expect.poll(async () => Number(await redis?.command("PTTL", key))).toBeGreaterThan(0);
    }
    await a.registry.interruptAll();
    expect(Number(await redis?.command("PTTL", keys.log))).toBeLessThanOrEqual(60_000);
    expect(Number(await redis?.command("PTTL", keys.state))).toBeLessThanOrEqual(60_000);
    expect(await redis?.command("EXISTS", keys.lease)).toBe(0);
  });
});
