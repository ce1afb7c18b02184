import { describe, expect, it } from "vitest";
import {
  callPart,
  chunk,
  finish,
  streamBody,
  text,
  usageChunk,
} from "../../testing/completions-chunks.ts";
import { checkEventOrder, type RecordedEvent } from "../../testing/event-order.ts";
import { play, playAnswer, typesOf } from "../../testing/play-completions.ts";

const thinkTextAndCalls = [
  chunk({ role: "assistant", content: "", reasoning_content: "Let me " }),
  chunk({ reasoning_content: "see." }),
  text("I look "),
  text("it up."),
  callPart({ index: 0, id: "call_a", name: "weather", arguments: "" }),
  callPart({ index: 1, id: "call_b", name: "time", arguments: '{"zone"' }),
  callPart({ index: 0, arguments: '{"city":"Oslo"}' }),
  callPart({ index: 1, arguments: ':"UTC"}' }),
  finish("tool_calls"),
  usageChunk({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }),
];

describe("the order of events", () => {
  it("a block ends when another kind begins; calls end at the end", async () => {
    const run = await play(thinkTextAndCalls);
    expect(typesOf(run)).toEqual([
      "start",
      "thinking_start",
      "thinking_delta",
      "thinking_delta",
      "thinking_end",
      "text_start",
      "text_delta",
      "text_delta",
      "text_end",
      "toolcall_start",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_delta",
      "toolcall_delta",
      "toolcall_end",
      "toolcall_end",
      "done",
    ]);
    expect(checkEventOrder(run.events)).toEqual([]);
    expect(run.message.content).toEqual([
      { type: "thinking", thinking: "Let me see.", thinkingSignature: "reasoning_content" },
      { type: "text", text: "I look it up." },
      { type: "toolCall", id: "call_a", name: "weather", arguments: { city: "Oslo" } },
      { type: "toolCall", id: "call_b", name: "time", arguments: { zone: "UTC" } },
    ]);
  });

  const orderRules: [rule: string, breakIt: (events: RecordedEvent[]) => RecordedEvent[]][] = [
    ["P-081", (events) => swapped(events, 0, 1)],
    ["P-082", (events) => swapped(events, events.length - 2, events.length - 1)],
    ["P-084", (events) => events.map(({ ...event }) => without(event, "contentIndex"))],
    [
      "P-085",
      (events) =>
        events.map((event) => (event.type === "done" ? { ...event, reason: "stop" } : event)),
    ],
    ["P-087", (events) => swapped(events, 1, 2)],
    ["P-088", (events) => events.filter((event) => event.type !== "text_delta")],
    ["P-092", (events) => swapped(events, 3, 4)],
    ["P-094", (events) => events.filter((event) => event.type !== "text_end")],
  ];
  it.each(orderRules)("breaking %s is reported", async (rule, breakIt) => {
    const { events } = await play(thinkTextAndCalls);
    const report = checkEventOrder(breakIt(events));
    expect(report.join("\n")).toContain(rule);
  });

  it("is the same however the bytes are cut", async () => {
    const body = streamBody([text("杭州 🌍"), ...thinkTextAndCalls]);
    const whole = await playAnswer({ body });
    const bytes = await playAnswer({ body, chunk: 1 });
    expect(bytes.message.content).toEqual(whole.message.content);
    expect(typesOf(bytes)).toEqual(typesOf(whole));
  });
});

function swapped(events: RecordedEvent[], a: number, b: number): RecordedEvent[] {
  const copy = [...events];
  [copy[a], copy[b]] = [copy[b] as RecordedEvent, copy[a] as RecordedEvent];
  return copy;
}

function without(event: RecordedEvent, key: string): RecordedEvent {
  return Object.fromEntries(
    Object.entries(event).filter(([name]) => name !== key),
  ) as unknown as RecordedEvent;
}
