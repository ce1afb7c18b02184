import { describe, expect, it } from "vitest";
import { checkEventOrder } from "../../testing/event-order.ts";
import {
  added,
  callItem,
  completed,
  created,
  delta,
  itemDone,
  messageEvents,
  type ResponseEvent,
  reasoningItem,
} from "../../testing/responses-events.ts";
import { play, playEvents } from "../../testing/responses-play.ts";
import { sse } from "../../testing/vendor-server.ts";

const reasoning = reasoningItem({
  summary: [
    { type: "summary_text", text: "First." },
    { type: "summary_text", text: "Second." },
  ],
});
const call = callItem({ arguments: '{"a":1,"b":2}', status: "completed" });

const everything: ResponseEvent[] = [
  created,
  { type: "keepalive", sequence_number: 1 },
  added(0, reasoningItem({ encrypted_content: "" })),
  delta("reasoning_summary_text", 0, "Fir", { summary_index: 0 }),
  delta("reasoning_summary_text", 0, "st.", { summary_index: 0 }),
  { type: "response.reasoning_summary_part.done", output_index: 0, summary_index: 0 },
  delta("reasoning_summary_text", 0, "Second.", { summary_index: 1 }),
  itemDone(0, reasoning),
  ...messageEvents(1, ["On ", "it 👍."], { phase: "commentary" }),
  added(2, callItem()),
  delta("function_call_arguments", 2, '{"a":1,'),
  delta("function_call_arguments", 2, '"b":2}'),
  { type: "response.function_call_arguments.done", output_index: 2, arguments: '{"a":1,"b":2}' },
  itemDone(2, call),
  completed(),
];

describe("an answer of the Responses API", () => {
  it.each([undefined, 1, 7])(
    "becomes blocks, usage and a stop reason (chunks of %s)",
    async (chunk) => {
      const { events, message } = await play({ body: sse(everything, true), chunk });

      expect(checkEventOrder(events)).toEqual([]);
      expect(message.content).toEqual([
        {
          type: "thinking",
          thinking: "First.\n\nSecond.",
          thinkingSignature: JSON.stringify(reasoning),
        },
        {
          type: "text",
          text: "On it 👍.",
          textSignature: '{"v":1,"id":"msg_1","phase":"commentary"}',
        },
        { type: "toolCall", id: "call_1|fc_1", name: "add", arguments: { a: 1, b: 2 } },
      ]);
      expect(message).toMatchObject({
        responseId: "resp_1",
        responseModel: "gpt-test-2026",
        stopReason: "toolUse",
        rawStopReason: "completed",
        usage: {
          input: 16,
          output: 20,
          cacheRead: 10,
          cacheWrite: 4,
          reasoning: 7,
          totalTokens: 50,
        },
      });
      expect(message.native).toBeUndefined();
      // 16 in at 3, 20 out at 15, 10 read at 0.3, 4 written at 3.75.
      expect(message.usage.cost.total).toBeCloseTo((48 + 300 + 3 + 15) / 1e6, 12);
    },
  );

  it("tells the events in order, and an exchange of two is noticed", async () => {
    const { events } = await playEvents(everything);

    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "thinking_start",
      ...Array(4).fill("thinking_delta"),
      "thinking_end",
      "text_start",
      "text_delta",
      "text_delta",
      "text_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_delta",
      "toolcall_end",
      "done",
    ]);
    for (let at = 0; at + 1 < events.length; at++) {
      const [first, second] = [events[at], events[at + 1]];
      if (!first || !second || first.type === second.type || second.type === "done") continue;
      // Where one block ends and the next one begins, either may come first.
      if (first.type.endsWith("_end")) continue;
      const swapped = events.with(at, second).with(at + 1, first);
      expect(checkEventOrder(swapped), `${first.type} and ${second.type}`).not.toEqual([]);
    }
  });

  it("is told by the names of events where the data has no type, without names too", async () => {
    const named = everything.map(
      ({ type, ...rest }) => `event: ${type}\ndata: ${JSON.stringify(rest)}\n\n`,
    );
    const byName = await play({ body: named.join("") });
    const byType = await play({ body: `${sse(everything)}data: [DONE]\n\n` });
    expect(byName.message.content).toEqual(byType.message.content);
    expect(byName.message.stopReason).toBe("toolUse");
  });

  it("ends at the last event although the connection stays open", async () => {
    const { message } = await play({ body: sse(everything, true), thenSilence: true });
    expect(message.stopReason).toBe("toolUse");
  });
});

describe("items that stream side by side", () => {
  it("are told apart by their index though every event has another item id", async () => {
    let count = 0;
    const rotating = (event: ResponseEvent): ResponseEvent => ({
      ...event,
      item_id: `x_${count++}`,
    });
    const { events, message } = await playEvents([
      created,
      added(0, callItem({ id: "fc_a", call_id: "call_a" })),
      added(1, callItem({ id: "fc_b", call_id: "call_b", name: "mul" })),
      rotating(delta("function_call_arguments", 1, '{"b":')),
      rotating(delta("function_call_arguments", 0, '{"a":')),
      rotating(delta("function_call_arguments", 1, "2}")),
      rotating(delta("function_call_arguments", 0, "1}")),
      itemDone(1, callItem({ id: "fc_y", call_id: "call_b", name: "mul", arguments: '{"b":2}' })),
      itemDone(0, callItem({ id: "fc_z", call_id: "call_a", arguments: '{"a":1}' })),
      completed(),
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toEqual([
      { type: "toolCall", id: "call_a|fc_a", name: "add", arguments: { a: 1 } },
      { type: "toolCall", id: "call_b|fc_b", name: "mul", arguments: { b: 2 } },
    ]);
  });

  it("are told apart by their ids where a host gives every item the same index", async () => {
    const at = (id: string, text: string): ResponseEvent =>
      delta("function_call_arguments", 0, text, { item_id: id });
    const { message } = await playEvents([
      created,
      added(0, callItem({ id: "fc_a", call_id: "call_a" })),
      added(0, callItem({ id: "fc_b", call_id: "call_b" })),
      at("fc_a", '{"a":1}'),
      at("fc_b", '{"a":2}'),
      itemDone(0, callItem({ id: "fc_a", call_id: "call_a", arguments: '{"a":1}' })),
      itemDone(0, callItem({ id: "fc_b", call_id: "call_b", arguments: '{"a":2}' })),
      completed(),
    ]);
    expect(message.content).toMatchObject([{ arguments: { a: 1 } }, { arguments: { a: 2 } }]);
  });

  it("end in any order, and their blocks keep the order in which they began", async () => {
    const { events, message } = await playEvents([
      created,
      added(0, reasoningItem()),
      delta("reasoning_text", 0, "Four.", { content_index: 0 }),
      ...messageEvents(1, ["4"]),
      itemDone(0, reasoningItem({ content: [{ type: "reasoning_text", text: "Four." }] })),
      completed(),
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toMatchObject([{ thinking: "Four." }, { text: "4" }]);
  });
});
