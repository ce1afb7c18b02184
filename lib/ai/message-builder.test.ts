import { describe, expect, it } from "vitest";
import { pendingMessage } from "./adapter.ts";
import { AssistantMessageEventStream } from "./event-stream.ts";
import { MessageBuilder } from "./message-builder.ts";
import { checkEventOrder } from "./testing/event-order.ts";
import { testModel } from "./testing/run-stream.ts";
import type { AssistantMessageEvent } from "./types.ts";

interface Seen {
  event: AssistantMessageEvent;
  /** The content as it was when the event was told. */
  content: unknown;
}

function setUp(): { builder: MessageBuilder; seen: Seen[] } {
  const message = pendingMessage(testModel({ api: "a", id: "m", baseUrl: "https://a.example" }));
  const stream = new AssistantMessageEventStream();
  const seen: Seen[] = [];
  const push = stream.push.bind(stream);
  stream.push = (event) => {
    seen.push({ event, content: structuredClone(message.content) });
    push(event);
  };
  const builder = new MessageBuilder(message, stream);
  builder.start();
  return { builder, seen };
}

const outline = (seen: Seen[]): unknown[] =>
  seen.slice(1).map(({ event }) => {
    const told = event as { contentIndex?: number; delta?: string; content?: string };
    return [event.type, told.contentIndex, told.delta ?? told.content].filter(
      (part) => part !== undefined,
    );
  });

describe("a message while it is built", () => {
  it("P-084: each event says which block it is of and what is new", () => {
    const { builder, seen } = setUp();
    const thinking = builder.openThinking();
    builder.thinking(thinking, "Hm.");
    builder.closeThinking(thinking);
    const text = builder.openText();
    builder.text(text, "Hi");
    builder.text(text, " you");
    builder.closeText(text);
    const call = builder.openToolCall({ id: "c", name: "add" });
    builder.toolCall(call, '{"a":1}');
    builder.closeToolCall(call);
    expect(outline(seen)).toEqual([
      ["thinking_start", 0],
      ["thinking_delta", 0, "Hm."],
      ["thinking_end", 0, "Hm."],
      ["text_start", 1],
      ["text_delta", 1, "Hi"],
      ["text_delta", 1, " you"],
      ["text_end", 1, "Hi you"],
      ["toolcall_start", 2],
      ["toolcall_delta", 2, '{"a":1}'],
      ["toolcall_end", 2],
    ]);
    expect(seen.at(-1)?.event).toMatchObject({
      toolCall: { type: "toolCall", id: "c", name: "add", arguments: { a: 1 } },
    });
  });

  it("P-086: every event carries the one live message", () => {
    const { builder, seen } = setUp();
    builder.text(builder.openText(), "Hi");
    builder.toolCall(builder.openToolCall({ id: "c", name: "add" }), "{");
    builder.closeAll();
    for (const { event } of seen) {
      expect("partial" in event && event.partial).toBe(builder.message);
    }
  });

  it("P-087: a block is there, empty, when its start is told", () => {
    const { builder, seen } = setUp();
    builder.text(builder.openText(), "Hi");
    builder.thinking(builder.openThinking(), "Hm.");
    const starts = seen.filter(({ event }) => event.type.endsWith("_start"));
    expect(starts.map(({ content }) => content)).toEqual([
      [{ type: "text", text: "" }],
      [
        { type: "text", text: "Hi" },
        { type: "thinking", thinking: "" },
      ],
    ]);
  });

  it("P-088: what the vendor says at a block's end counts more than what was streamed", () => {
    const { builder, seen } = setUp();
    const text = builder.openText();
    builder.text(text, "Helo");
    builder.closeText(text, { text: "Hello", textSignature: "S" });
    expect(seen.at(-1)?.event).toMatchObject({ type: "text_end", content: "Hello" });
    expect(builder.message.content).toEqual([{ type: "text", text: "Hello", textSignature: "S" }]);
  });

  it("P-090: arguments grow with every delta", () => {
    const { builder, seen } = setUp();
    const call = builder.openToolCall({ id: "c", name: "find" });
    builder.toolCall(call, '{"city":"Os');
    builder.toolCall(call, 'lo","days":[1,');
    expect(seen.map(({ content }) => (content as { arguments?: unknown }[])[0]?.arguments)).toEqual(
      [undefined, {}, { city: "Os" }, { city: "Oslo", days: [1] }],
    );
  });

  it("P-093: blocks may stream in turns and end in any order", () => {
    const { builder, seen } = setUp();
    const [one, two] = [
      builder.openToolCall({ id: "1", name: "f" }),
      builder.openToolCall({ id: "2", name: "f" }),
    ];
    builder.toolCall(two, '{"b":');
    builder.toolCall(one, '{"a":1}');
    builder.toolCall(two, "2}");
    builder.closeToolCall(two);
    builder.closeToolCall(one);
    const done: AssistantMessageEvent = {
      type: "done",
      reason: "toolUse",
      message: Object.assign(builder.message, { stopReason: "toolUse" }),
    };
    expect(checkEventOrder([...seen.map(({ event }) => event), done])).toEqual([]);
    expect(builder.message.content).toMatchObject([
      { id: "1", arguments: { a: 1 } },
      { id: "2", arguments: { b: 2 } },
    ]);
  });

  it("P-094: closing all ends what is open, in order, and nothing twice", () => {
    const { builder, seen } = setUp();
    const text = builder.openText();
    builder.openThinking();
    builder.openToolCall({ id: "c", name: "f" });
    builder.closeText(text);
    builder.closeAll();
    builder.closeAll();
    expect(outline(seen).slice(3)).toEqual([
      ["text_end", 0, ""],
      ["thinking_end", 1, ""],
      ["toolcall_end", 2],
    ]);
  });

  it("P-095: a block that stays empty has a start and an end and no delta", () => {
    const { builder, seen } = setUp();
    const text = builder.openText();
    builder.text(text, "");
    builder.closeText(text);
    expect(outline(seen)).toEqual([
      ["text_start", 0],
      ["text_end", 0, ""],
    ]);
  });

  it("P-333: the text of the arguments is kept on no block", () => {
    const { builder } = setUp();
    const call = builder.openToolCall({ id: "c", name: "f" });
    builder.toolCall(call, '{"a":1}');
    expect(Object.keys(builder.toolCallAt(call)).sort()).toEqual([
      "arguments",
      "id",
      "name",
      "type",
    ]);
    builder.closeToolCall(call);
    expect(Object.keys(builder.toolCallAt(call)).sort()).toEqual([
      "arguments",
      "id",
      "name",
      "type",
    ]);
  });

  it("P-334: of a whole text only the rest is told; one that says otherwise replaces in silence", () => {
    const { builder, seen } = setUp();
    const extended = builder.openToolCall({ id: "1", name: "f" });
    builder.toolCall(extended, '{"a":');
    builder.closeToolCall(extended, '{"a":1}');
    const replaced = builder.openToolCall({ id: "2", name: "f" });
    builder.toolCall(replaced, '{"a":1}');
    builder.closeToolCall(replaced, '{"b":2}');
    expect(outline(seen)).toEqual([
      ["toolcall_start", 0],
      ["toolcall_delta", 0, '{"a":'],
      ["toolcall_delta", 0, "1}"],
      ["toolcall_end", 0],
      ["toolcall_start", 1],
      ["toolcall_delta", 1, '{"a":1}'],
      ["toolcall_end", 1],
    ]);
    expect(builder.message.content).toMatchObject([
      { arguments: { a: 1 } },
      { arguments: { b: 2 } },
    ]);
  });
});
