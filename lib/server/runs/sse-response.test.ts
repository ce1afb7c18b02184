import { afterEach, describe, expect, it, vi } from "vitest";
import { sseHeartbeat } from "@/lib/run/sse";
import { eventStreamResponse } from "./sse-response";

interface Source {
  pieces: AsyncIterable<string>;
  asked: () => number;
  give: (piece: string) => void;
  end: () => void;
}

/** Pieces that a test gives by hand, and how many were asked for. */
function source(leave: AbortController): Source {
  const ready: string[] = [];
  let ended = false;
  let asked = 0;
  let wake: () => void = () => {};
  leave.signal.addEventListener("abort", () => wake());
  async function* pieces(): AsyncGenerator<string> {
    for (;;) {
      asked++;
      while (ready.length === 0 && !ended && !leave.signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const piece = ready.shift();
      if (piece === undefined) return;
      yield piece;
    }
  }
  return {
    pieces: pieces(),
    asked: () => asked,
    give: (piece) => {
      ready.push(piece);
      wake();
    },
    end: () => {
      ended = true;
      wake();
    },
  };
}

function open() {
  const leave = new AbortController();
  const client = new AbortController();
  const from = source(leave);
  const response = eventStreamResponse(from.pieces, leave, client.signal);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async (): Promise<string | undefined> => {
    const { value } = await reader.read();
    return value && new TextDecoder().decode(value);
  };
  return { leave, client, from, response, reader, read };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("eventStreamResponse", () => {
  it("says what it is, and lets nothing in between hold it back", () => {
    const { response, client } = open();
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    client.abort();
  });

  it("sends a comment at once, then the pieces, then ends", async () => {
    const { from, read } = open();
    expect(await read()).toBe(sseHeartbeat);
    from.give("one");
    expect(await read()).toBe("one");
    from.end();
    expect(await read()).toBeUndefined();
  });

  it("asks for no more than the client takes", async () => {
    const { from, read, client } = open();
    for (const piece of ["one", "two", "three"]) from.give(piece);
    await read();
    expect(from.asked()).toBe(0);
    await read();
    expect(from.asked()).toBe(1);
    client.abort();
  });

  it("sends a comment after 15 s of silence, and loses nothing by it", async () => {
    vi.useFakeTimers();
    const { from, read } = open();
    await read();
    const silent = read();
    let told = false;
    void silent.then(() => {
      told = true;
    });
    await vi.advanceTimersByTimeAsync(14_999);
    expect(told).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await silent).toBe(sseHeartbeat);
    const next = read();
    from.give("late");
    expect(await next).toBe("late");
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["cancel", "abort", "both"])("lets go once when the client leaves by %s", async (how) => {
    vi.useFakeTimers();
    const { client, reader, read, leave } = open();
    let left = 0;
    leave.signal.addEventListener("abort", () => {
      left++;
    });
    await read();
    const waiting = read();
    if (how !== "cancel") client.abort();
    if (how !== "abort") await reader.cancel();
    expect(await waiting).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(left).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("sends nothing to a client that had left before", async () => {
    const leave = new AbortController();
    const from = source(leave);
    from.give("one");
    const response = eventStreamResponse(from.pieces, leave, AbortSignal.abort());
    expect(await response.text()).toBe(sseHeartbeat);
  });
});
