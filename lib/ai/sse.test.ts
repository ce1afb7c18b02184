import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RequestGuard } from "./request-guard.ts";
import { parseEventData, readServerEvents, type ServerEvent } from "./sse.ts";

async function read(
  chunks: Uint8Array[],
  guard = new RequestGuard(undefined, undefined),
): Promise<ServerEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  await readServerEvents(new Response(body), guard, { event: (event) => void events.push(event) });
  return events;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const told = (events: ServerEvent[]): [string | undefined, string][] =>
  events.map(({ name, data }) => [name, data]);

const lines = [
  ": a comment",
  "event: first",
  'data: {"a":"é👍"}',
  "id: 7",
  "",
  "data:two",
  "data: lines",
  "",
  "event: empty",
  "",
  "data: [DONE]",
  "",
  "",
];
const expected = [
  ["first", '{"a":"é👍"}'],
  [undefined, "two\nlines"],
  [undefined, "[DONE]"],
];

describe("the reader of event streams", () => {
  it.each([
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ])("X8, X8b: %s as line end, cut at any byte", async (_name, lineEnd) => {
    const whole = bytes(lines.join(lineEnd));
    expect(told(await read([whole]))).toEqual(expected);
    for (let cut = 1; cut < whole.length; cut++) {
      const events = await read([whole.subarray(0, cut), whole.subarray(cut)]);
      expect(told(events), `cut at ${cut}`).toEqual(expected);
    }
    const single = [...whole].map((byte) => Uint8Array.of(byte));
    expect(told(await read(single))).toEqual(expected);
  });

  it("reads a last event that no blank line ends", async () => {
    expect(told(await read([bytes("data: 1\n\ndata: 2")]))).toEqual([
      [undefined, "1"],
      [undefined, "2"],
    ]);
  });

  it("says in which network chunk an event came to its end", async () => {
    const events = await read([bytes("data: 1\n\nda"), bytes("ta: 2\n"), bytes("\ndata: 3\n\n")]);
    expect(events.map(({ chunk }) => chunk)).toEqual([0, 2, 2]);
  });

  it.each([
    ['{"error":{"message":"Overloaded"}}', "Overloaded"],
    ["<html><head><title>Gateway</title></head></html>", "an HTML page: Gateway"],
    ['{"id":"chatcmpl-1"}', "one JSON document instead of a stream"],
    ["Service is down", "text instead of a stream: Service is down"],
    ["", "ended before its first event"],
  ])("tells what came in place of events: %s", async (body, words) => {
    await expect(read([bytes(body)])).rejects.toThrow(words);
  });

  it("takes several JSON lines of one event apart, and passes over what is no JSON", () => {
    expect(parseEventData('{"a":1}')).toEqual([{ a: 1 }]);
    expect(parseEventData('{"a":1}\n{"b":2}\noops')).toEqual([{ a: 1 }, { b: 2 }]);
    expect(parseEventData("keep-alive")).toEqual([]);
  });
});

describe("the limit of silence", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A body whose chunks are given out one by one. */
  function slowBody(): { response: Response; give: (text: string) => void } {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
      },
    });
    return { response: new Response(body), give: (text) => controller?.enqueue(bytes(text)) };
  }

  it("P-264, P-407: a comment counts as life, and silence after it ends the stream", async () => {
    const guard = new RequestGuard(undefined, 1000);
    const { response, give } = slowBody();
    const events: string[] = [];
    let failure: Error | undefined;
    const reading = readServerEvents(response, guard, {
      event: ({ data }) => void events.push(data),
    }).catch((error: Error) => {
      failure = error;
    });
    for (let step = 0; step < 5; step++) {
      await vi.advanceTimersByTimeAsync(900);
      give(": keep-alive\n\n");
    }
    await vi.advanceTimersByTimeAsync(900);
    give("data: late\n\n");
    await vi.advanceTimersByTimeAsync(999);
    expect([events, failure]).toEqual([["late"], undefined]);
    await vi.advanceTimersByTimeAsync(1);
    await reading;
    expect(failure?.name).toBe("TimeoutError");
    expect(guard.signal.aborted).toBe(true);
  });

  it("P-264: no limit is none", async () => {
    const guard = new RequestGuard(undefined, undefined);
    let settled = false;
    void guard.race(new Promise(() => {})).finally(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(settled).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("P-261: what fails after an abort is nobody's concern, and nothing is left behind", async () => {
    const controller = new AbortController();
    const guard = new RequestGuard(controller.signal, 1000);
    let fail: (error: Error) => void = () => {};
    const late = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const raced = guard.race(late);
    controller.abort();
    await expect(raced).rejects.toMatchObject({ name: "AbortError" });
    fail(new Error("late"));
    await expect(guard.race(Promise.reject(new Error("later")))).rejects.toMatchObject({
      name: "AbortError",
    });
    guard.release();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a body of which no more is wanted", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Reads up to the first event, and tells what becomes of the body. */
  async function readFirst(
    wantsMore: () => boolean,
  ): Promise<{ cancelled: () => boolean; end: () => void; left: () => number | null }> {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start(given) {
        controller = given;
        given.enqueue(bytes("data: 1\n\n"));
        given.enqueue(bytes(": the rest\n\n"));
      },
      cancel() {
        cancelled = true;
      },
    });
    await readServerEvents(new Response(body), new RequestGuard(undefined, undefined), {
      event: () => {},
      wantsMore,
    }).catch(() => {});
    await vi.advanceTimersByTimeAsync(499);
    return {
      cancelled: () => cancelled,
      end: () => controller?.close(),
      left: () => controller?.desiredSize ?? null,
    };
  }

  it("is read to its end, so that the connection can serve the next request", async () => {
    const { cancelled, end, left } = await readFirst(() => false);
    expect(left()).toBe(1);
    end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(cancelled()).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is given up when the host leaves it open", async () => {
    const { cancelled } = await readFirst(() => false);
    expect(cancelled()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(cancelled()).toBe(true);
  });

  it("is given up at once after a failure", async () => {
    const { cancelled } = await readFirst(() => {
      throw new Error("what came makes no sense");
    });
    expect(cancelled()).toBe(true);
  });
});
