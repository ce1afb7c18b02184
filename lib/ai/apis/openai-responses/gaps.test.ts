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
  messageItem,
} from "../../testing/responses-events.ts";
import { playEvents } from "../../testing/responses-play.ts";

const call = callItem({ arguments: '{"a":1,"b":2}', status: "completed" });

describe("what a host leaves out", () => {
  it("text that stands only in the finished response is found there", async () => {
    const { events, message } = await playEvents([
      added(0, messageItem("", { content: [] })),
      {
        type: "response.content_part.added",
        output_index: 0,
        part: { type: "output_text", text: "" },
      },
      completed([messageItem("late text")]),
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toMatchObject([{ type: "text", text: "late text" }]);
  });

  it("items that were never announced begin and end at once", async () => {
    const { events, message } = await playEvents([
      created,
      itemDone(0, messageItem("Hi")),
      completed([messageItem("Hi"), call]),
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toMatchObject([
      { text: "Hi" },
      { id: "call_1|fc_1", arguments: { a: 1, b: 2 } },
    ]);
  });

  it("a finished response repeats nothing, whatever ids its items have", async () => {
    const { message } = await playEvents([
      created,
      ...messageEvents(0, ["Hi"]),
      completed([messageItem("Hi", { id: "msg_other" })]),
    ]);
    expect(message.content).toMatchObject([{ text: "Hi" }]);
  });

  it("W-32: a message without its end ends with what was streamed", async () => {
    const { events, message } = await playEvents([
      created,
      ...messageEvents(0, ["Hi ", "there"]).slice(0, -1),
      completed(),
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toEqual([
      { type: "text", text: "Hi there", textSignature: '{"v":1,"id":"msg_1"}' },
    ]);
  });

  it("W-31: a call without an item id has its call id alone, one without any id gets one", async () => {
    const { message } = await playEvents([
      created,
      itemDone(0, callItem({ id: undefined, arguments: "{}" })),
      itemDone(1, callItem({ id: undefined, call_id: undefined, arguments: "{}" })),
      completed(),
    ]);
    const ids = message.content.map((block) => block.type === "toolCall" && block.id);
    expect(ids).toEqual(["call_1", expect.stringMatching(/^call_[a-z0-9]{9,}$/)]);
  });

  it("arguments may be an object, or whole where the call is announced", async () => {
    const { message } = await playEvents([
      created,
      itemDone(0, callItem({ call_id: "c0", arguments: { city: "Oslo" } })),
      added(1, callItem({ id: "fc_2", call_id: "c1", arguments: '{"city":"Rome"}' })),
      itemDone(1, callItem({ id: "fc_2", call_id: "c1", arguments: "" })),
      completed(),
    ]);
    expect(message.content).toMatchObject([
      { arguments: { city: "Oslo" } },
      { arguments: { city: "Rome" } },
    ]);
  });

  it("P-334: arguments that are repeated whole add what is missing, or replace what was streamed", async () => {
    const whole = (output_index: number, text: string): Record<string, unknown> => ({
      type: "response.function_call_arguments.done",
      output_index,
      arguments: text,
    });
    const { events, message } = await playEvents([
      created,
      added(0, callItem({ id: "fc_1", call_id: "c1" })),
      delta("function_call_arguments", 0, '{"a":'),
      whole(0, '{"a":1}'),
      added(1, callItem({ id: "fc_2", call_id: "c2" })),
      delta("function_call_arguments", 1, '{"a":1}'),
      whole(1, '{"b":2}'),
      completed(),
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(
      events.flatMap((event) => (event.type === "toolcall_delta" ? [event.delta] : [])),
    ).toEqual(['{"a":', "1}", '{"a":1}']);
    expect(message.content).toMatchObject([{ arguments: { a: 1 } }, { arguments: { b: 2 } }]);
  });

  it("encrypted reasoning may come only with the finished response", async () => {
    const bare = { type: "reasoning", id: "rs_1", summary: [] };
    const { message } = await playEvents([
      created,
      itemDone(0, bare),
      ...messageEvents(1, ["Hi"]),
      completed([{ ...bare, encrypted_content: "LATE" }, messageItem("Hi")]),
    ]);
    expect(message.content[0]).toMatchObject({
      thinkingSignature: JSON.stringify({ ...bare, encrypted_content: "LATE" }),
    });
  });

  it("odd shapes do no harm", async () => {
    const { message } = await playEvents([
      created,
      { type: "response.output_item.added" },
      { type: "response.output_item.added", item: "text", output_index: "first" },
      { type: "response.output_text.delta", output_index: 7, delta: 5 },
      { type: "response.function_call_arguments.delta", output_index: 9, delta: "{" },
      { type: "response.output_text.annotation.added" },
      { type: "response.output_item.done", item: null },
      { type: "response.brand_new", output_index: 0 },
      delta("output_text", 3, "Hi"),
      completed([], { output: "none", usage: "much" }),
    ]);
    expect(message.content.at(-1)).toEqual({ type: "text", text: "Hi" });
    expect(message).toMatchObject({ stopReason: "stop", usage: { unreported: true } });
  });
});
