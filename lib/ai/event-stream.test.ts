import { describe, expect, it, vi } from "vitest";
import { pendingMessage } from "./adapter.ts";
import { AssistantMessageEventStream, EventStream } from "./event-stream.ts";
import { testModel } from "./testing/run-stream.ts";
import type { AssistantMessage } from "./types.ts";

type Step = number | "end";

const steps = (): EventStream<Step, string> =>
  new EventStream<Step, string>(
    (event) => event === "end",
    () => "completed",
    () => "missing",
  );

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const event of stream) seen.push(event);
  return seen;
}

const message = (fields: Partial<AssistantMessage> = {}): AssistantMessage => ({
  ...pendingMessage(testModel({ api: "a", id: "m", baseUrl: "https://a.example" })),
  stopReason: "stop",
  ...fields,
});

describe("an event stream", () => {
  it("P-060, P-061: gives events in order, to a reader that waits and to one that comes late", async () => {
    const waiting = steps();
    const reading = collect(waiting);
    for (const step of [1, 2, "end"] as const) waiting.push(step);
    expect(await reading).toEqual([1, 2, "end"]);
    const queued = steps();
    for (const step of [1, 2, "end"] as const) queued.push(step);
    expect(await collect(queued)).toEqual([1, 2, "end"]);
    expect(await queued.result()).toBe("completed");
  });

  it("pours out what waits and what comes, at once, to the stream's end", async () => {
    const stream = steps();
    stream.push(1);
    const seen: Step[] = [];
    const poured = stream[Symbol.asyncIterator]().pour?.((event) => void seen.push(event));
    expect(seen).toEqual([1]);
    stream.push(2);
    stream.push("end");
    expect(seen).toEqual([1, 2, "end"]);
    stream.end();
    await poured;
    expect(() => stream[Symbol.asyncIterator]()).toThrow("one consumer");
  });

  it("P-062: the completing event is told, and then the iteration is over", async () => {
    const stream = steps();
    const iterator = stream[Symbol.asyncIterator]();
    stream.push("end");
    expect(await iterator.next()).toEqual({ value: "end", done: false });
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
  });

  it("P-063: nothing is told after the end", async () => {
    const completed = steps();
    completed.push("end");
    completed.push(1);
    expect(await collect(completed)).toEqual(["end"]);
    const ended = steps();
    ended.end("told");
    ended.push(1);
    expect(await collect(ended)).toEqual([]);
  });

  it("P-064: end releases a reader that waits, and what is queued can still be read", async () => {
    const waiting = steps();
    const next = waiting[Symbol.asyncIterator]().next();
    waiting.end();
    expect(await next).toEqual({ value: undefined, done: true });
    const queued = steps();
    queued.push(1);
    queued.end("told");
    expect(await collect(queued)).toEqual([1]);
    expect(await queued.result()).toBe("told");
  });

  it("P-065: the result is one promise, there before, during and without iteration", async () => {
    const stream = steps();
    const early = stream.result();
    stream.push(1);
    stream.push("end");
    expect(stream.result()).toBe(early);
    expect(await early).toBe("completed");
  });

  it("P-066: the first result stays", async () => {
    const stream = steps();
    stream.push("end");
    stream.end("later");
    expect(await stream.result()).toBe("completed");
  });

  it("P-067, P-411: an end without a result settles it all the same", async () => {
    const stream = steps();
    stream.end();
    expect(await stream.result()).toBe("missing");
    const answer = new AssistantMessageEventStream();
    answer.end();
    expect(await answer.result()).toMatchObject({
      stopReason: "error",
      errorMessage: "The stream ended without a result.",
    });
  });

  it("P-068, P-411: a second reader is refused", () => {
    const stream = steps();
    stream[Symbol.asyncIterator]();
    expect(() => stream[Symbol.asyncIterator]()).toThrow("one consumer");
  });

  it("P-069: the completing event frees a reader that waits, without end", async () => {
    const stream = steps();
    const reading = collect(stream);
    stream.push("end");
    expect(await reading).toEqual(["end"]);
  });

  it("P-070: leaving the iteration does not stop the producer", async () => {
    const stream = steps();
    stream.push(1);
    stream.push(2);
    for await (const _ of stream) break;
    stream.push("end");
    expect(await stream.result()).toBe("completed");
  });

  it("P-071, P-072: takes a hundred thousand events without waiting and gives them in order", async () => {
    const stream = steps();
    const count = 100_000;
    for (let step = 0; step < count; step++) stream.push(step);
    stream.push("end");
    const seen = await collect(stream);
    expect(seen).toHaveLength(count + 1);
    expect(seen.slice(0, count).every((step, index) => step === index)).toBe(true);
  });
});

describe("an assistant message's stream", () => {
  it("P-073: done and error complete it with their message", async () => {
    const good = new AssistantMessageEventStream();
    const answer = message();
    good.push({ type: "start", partial: answer });
    expect(good.done).toBe(false);
    good.push({ type: "done", reason: "stop", message: answer });
    expect(await good.result()).toBe(answer);
    const bad = new AssistantMessageEventStream();
    const failed = message({ stopReason: "error" });
    bad.push({ type: "error", reason: "error", error: failed });
    expect(await bad.result()).toBe(failed);
  });

  it("P-074: the last message is told how long it took, in whole milliseconds", () => {
    const now = vi.spyOn(performance, "now");
    now.mockReturnValue(1000.2);
    const stream = new AssistantMessageEventStream();
    now.mockReturnValue(1250.9);
    const answer = message();
    stream.push({ type: "done", reason: "stop", message: answer });
    expect(answer.durationMs).toBe(251);
    const ended = new AssistantMessageEventStream();
    now.mockReturnValue(1300.9);
    const given = message();
    ended.end(given);
    expect(given.durationMs).toBe(50);
  });

  it("P-074: a clock that goes back gives no negative time", () => {
    const now = vi.spyOn(performance, "now");
    now.mockReturnValue(1000);
    const stream = new AssistantMessageEventStream();
    now.mockReturnValue(900);
    const answer = message();
    stream.push({ type: "done", reason: "stop", message: answer });
    expect(answer.durationMs).toBe(0);
  });

  it("P-075, P-077: a time that is there already, and an answer that began elsewhere, stay as they are", () => {
    const timed = message({ durationMs: 7 });
    new AssistantMessageEventStream().push({ type: "done", reason: "stop", message: timed });
    expect(timed.durationMs).toBe(7);
    const earlier = message({ timestamp: Date.now() - 10_000 });
    new AssistantMessageEventStream().push({ type: "done", reason: "stop", message: earlier });
    expect(earlier).not.toHaveProperty("durationMs");
  });

  it("P-076: nothing is timed after the end", () => {
    const stream = new AssistantMessageEventStream();
    stream.push({ type: "done", reason: "stop", message: message() });
    const late = message();
    stream.end(late);
    expect(late).not.toHaveProperty("durationMs");
  });

  it("P-078: a failure before anything was sent is never timed", async () => {
    const stream = new AssistantMessageEventStream();
    const failed = message({ stopReason: "aborted" });
    stream.fail(failed);
    expect(failed).not.toHaveProperty("durationMs");
    expect(await collect(stream)).toEqual([{ type: "error", reason: "aborted", error: failed }]);
  });
});
