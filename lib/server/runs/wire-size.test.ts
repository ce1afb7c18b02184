import { Readable } from "node:stream";
import { constants, createGzip, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AssistantMessage } from "@/lib/ai/types";
import { emptyUsage } from "@/lib/ai/usage";
import type { RunEvent, RunEventBody } from "@/lib/run/events";
import { foldRunEvent, initialRunState, type RunState } from "@/lib/run/fold";
import { decodeRunEvents } from "@/lib/run/sse";
import type { RunLog } from "./log";
import { MemoryRunLogEngine } from "./memory-log";
import { RunWriter } from "./run-writer";
import { eventStreamResponse } from "./sse-response";

const messageId = "6f1c2d3e-0a1b-4c2d-8e3f-405162738495";

const answer = (text: string): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text }],
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "stop",
  timestamp: 0,
});

const textDelta = (delta: string): RunEventBody => ({
  type: "message_update",
  messageId,
  assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta },
});

interface Piece {
  text: string;
  /** Ms since the piece before. */
  gapMs: number;
}

function newRun(deltaWindowMs?: number): { log: RunLog; writer: RunWriter } {
  const log = new MemoryRunLogEngine().create("run-1") as RunLog;
  const now = () => performance.now();
  return { log, writer: new RunWriter(log, [], undefined, undefined, now, deltaWindowMs) };
}

/** Writes an answer as it would come from a vendor, up to its end. */
async function write(writer: RunWriter, pieces: Piece[]): Promise<void> {
  void writer.append({ type: "agent_start" });
  void writer.append({
    type: "message_start",
    messageId,
    message: { ...answer(""), content: [], stopReason: "pending" },
  });
  void writer.append({
    type: "message_update",
    messageId,
    assistantMessageEvent: { type: "text_start", contentIndex: 0 },
  });
  for (const { text, gapMs } of pieces) {
    await vi.advanceTimersByTimeAsync(gapMs);
    void writer.append(textDelta(text));
  }
}

function finish(writer: RunWriter, pieces: Piece[]): void {
  const message = answer(pieces.map(({ text }) => text).join(""));
  void writer.append({ type: "message_end", messageId, message });
  void writer.append({ type: "agent_end", messages: [message] });
}

const never = new AbortController().signal;

/** What goes over the wire. Compressed as the server does it: flushed with every piece. */
async function bytesOf(log: RunLog, after = 0, isCompressed = false): Promise<Buffer> {
  const response = eventStreamResponse(log.read(after, never), new AbortController(), never);
  if (!isCompressed) return Buffer.from(await response.arrayBuffer());
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  const bytes = new Response(Readable.toWeb(gzip) as ReadableStream<Uint8Array>).arrayBuffer();
  for await (const piece of response.body as ReadableStream<Uint8Array>) {
    await new Promise((resolve) => gzip.write(piece, resolve));
  }
  gzip.end();
  return Buffer.from(await bytes);
}

async function eventsAfter(log: RunLog, after: number): Promise<RunEvent[]> {
  const body = new Response(new Uint8Array(await bytesOf(log, after))).body;
  const events: RunEvent[] = [];
  for await (const event of decodeRunEvents(body as ReadableStream<Uint8Array>)) events.push(event);
  return events;
}

const fold = (events: RunEvent[], from: RunState = initialRunState()): RunState =>
  events.reduce(foldRunEvent, from);

// Pseudo-random letters, so that nothing but the envelope can be compressed away.
function fiveByteDeltas(count: number, gapMs: number): Piece[] {
  let seed = 1;
  const letter = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (seed % 26));
  };
  return Array.from({ length: count }, () => ({
    text: Array.from({ length: 5 }, letter).join(""),
    gapMs,
  }));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("deltas on the log", () => {
  it("sends the first at once and what follows within a frame as one, in its order", async () => {
    const { log, writer } = newRun();
    const told = (): number => log.lastSeq;
    void writer.append(textDelta("a"));
    expect(told()).toBe(1);
    await vi.advanceTimersByTimeAsync(5);
    void writer.append(textDelta("b"));
    await vi.advanceTimersByTimeAsync(5);
    void writer.append(textDelta("c"));
    expect(told()).toBe(1);
    await vi.advanceTimersByTimeAsync(6);
    expect(told()).toBe(2);
    await vi.advanceTimersByTimeAsync(5);
    void writer.append(textDelta("d"));
    void writer.append({ type: "turn_start" });
    expect(told()).toBe(4);
    await vi.advanceTimersByTimeAsync(16);
    void writer.append(textDelta("e"));
    expect(told()).toBe(5);
    void writer.append({ type: "agent_end", messages: [] });
    const shown = (await eventsAfter(log, 0)).map((event) => [
      event.seq,
      event.t,
      event.type === "message_update" && "delta" in event.assistantMessageEvent
        ? event.assistantMessageEvent.delta
        : event.type,
    ]);
    expect(shown).toEqual([
      [1, 0, "a"],
      [2, 10, "bc"],
      [3, 21, "d"],
      [4, 21, "turn_start"],
      [5, 37, "e"],
      [6, 37, "agent_end"],
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("never joins pieces of different causes", async () => {
    const { log, writer } = newRun();
    for (const cause of [4, 4, 5]) void writer.append(textDelta("x"), cause);
    void writer.append(textDelta("x"), 5);
    void writer.append({ type: "agent_end", messages: [] });
    expect((await eventsAfter(log, 0)).map(({ cause }) => cause)).toEqual([4, 4, 5, undefined]);
  });

  it("folds as if nothing were joined, from any number on", async () => {
    const piece = fc.record({ text: fc.string(), gapMs: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const [joined, single] = [newRun(), newRun(0)];
        for (const { writer } of [joined, single]) {
          await write(writer, pieces);
          // Without an end that repeats the text, the state rests on the deltas alone.
          void writer.append({ type: "agent_end", messages: [] });
        }
        const all = await eventsAfter(joined.log, 0);
        expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
        const whole = fold(all);
        const apart = fold(await eventsAfter(single.log, 0));
        expect({ ...whole, lastSeq: 0 }).toEqual({ ...apart, lastSeq: 0 });
        for (let cut = 0; cut <= all.length; cut++) {
          const before = fold(all.slice(0, cut));
          expect(fold(await eventsAfter(joined.log, cut), before)).toEqual(whole);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("bytes on the wire per byte of text, in deltas of five bytes", () => {
  it.each([
    { name: "50 a second, compressed", count: 500, gapMs: 20, isCompressed: true },
    { name: "one every 200 ms, compressed", count: 100, gapMs: 200, isCompressed: true },
    { name: "250 a second, as they are", count: 2000, gapMs: 4, isCompressed: false },
    {
      name: "a network chunk of 20 at a time, as they are",
      count: 2000,
      gapMs: 0,
      isCompressed: false,
    },
  ])("are at most 12: $name", async ({ count, gapMs, isCompressed }) => {
    const { log, writer } = newRun();
    const pieces = fiveByteDeltas(count, gapMs);
    const spaced = gapMs > 0 ? pieces : pieces.map((p, i) => ({ ...p, gapMs: i % 20 ? 0 : 400 }));
    // Read as it grows, so that each event is a piece of its own where it came alone.
    const live = bytesOf(log, 0, isCompressed);
    const writing = write(writer, spaced);
    await writing;
    void writer.append({ type: "agent_end", messages: [] });
    const bytes = await live;
    expect(bytes.length / (5 * count)).toBeLessThanOrEqual(12);
    const text = (isCompressed ? gunzipSync(bytes) : bytes).toString();
    const deltas = [...text.matchAll(/"delta":"(\w+)"/g)].map((match) => match[1]);
    expect(deltas.join("")).toBe(pieces.map((piece) => piece.text).join(""));
  });

  it("stay at most 12 with the events that repeat the whole text", async () => {
    const { log, writer } = newRun();
    const pieces = fiveByteDeltas(500, 20);
    const live = bytesOf(log, 0, true);
    await write(writer, pieces);
    finish(writer, pieces);
    expect((await live).length / 2500).toBeLessThanOrEqual(12);
  });
});
