import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "./events";
import { decodeRunEvents, encodeRunEvent, sseHeartbeat } from "./sse";

const events: RunEvent[] = [
  { seq: 1, t: 0, type: "agent_start" },
  {
    seq: 2,
    t: 1.5,
    cause: 1,
    type: "message_update",
    messageId: "m1",
    assistantMessageEvent: {
      type: "text_delta",
      contentIndex: 0,
      delta: 'line\r\nnext \u2028 😀 "data: x"\n\n: no comment',
    },
  },
  { seq: 3, t: 2, type: "agent_end", messages: [] },
];

function bodyOf(bytes: Uint8Array, cuts: number[] = []): ReadableStream<Uint8Array> {
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
  const edges = [0, ...places, bytes.length];
  return new ReadableStream({
    start(controller) {
      edges.slice(1).forEach((end, index) => {
        controller.enqueue(bytes.slice(edges[index], end));
      });
      controller.close();
    },
  });
}

async function decode(body: ReadableStream<Uint8Array>): Promise<RunEvent[]> {
  const decoded: RunEvent[] = [];
  for await (const event of decodeRunEvents(body)) decoded.push(event);
  return decoded;
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("the codec of the event stream", () => {
  it("writes one event as its number and one line of data", () => {
    expect(encodeRunEvent({ seq: 7, t: 3, type: "turn_start" })).toBe(
      'id: 7\ndata: {"seq":7,"t":3,"type":"turn_start"}\n\n',
    );
  });

  it("gives back what was written, however the bytes are cut", async () => {
    const text = sseHeartbeat + events.map(encodeRunEvent).join(sseHeartbeat);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 20 }), async (cuts) => {
        expect(await decode(bodyOf(encoded(text), cuts))).toEqual(events);
      }),
      { numRuns: 50 },
    );
  });

  it("leaves out an event that was cut off at the end", async () => {
    const text = events.map(encodeRunEvent).join("").slice(0, -10);
    expect(await decode(bodyOf(encoded(text)))).toEqual(events.slice(0, 2));
  });

  it.each([
    ["no number", { t: 0, type: "turn_start" }, "seq"],
    [
      "a delta that is no text",
      { ...events[1], assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: 5 } },
      "assistantMessageEvent.delta",
    ],
    [
      "a message without a role",
      { seq: 1, t: 0, type: "message_end", messageId: "m", message: {} },
      "message",
    ],
  ])("refuses %s and names the field", async (_what, event, field) => {
    const body = bodyOf(encoded(`data: ${JSON.stringify(event)}\n\n`));
    await expect(decode(body)).rejects.toThrow(field);
  });

  it("lets a type pass that a newer server may know", async () => {
    const later = { seq: 1, t: 0, type: "later_kind", more: true };
    expect(await decode(bodyOf(encoded(`data: ${JSON.stringify(later)}\n\n`)))).toEqual([later]);
  });
});
