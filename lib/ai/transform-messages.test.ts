import { describe, expect, it } from "vitest";
import { answer, testModel } from "./testing/run-stream.ts";
import {
  missingResultText,
  toolImagePlaceholder,
  toolImageUnreadable,
  transformMessages,
  userImagePlaceholder,
  userImageUnreadable,
} from "./transform-messages.ts";
import type {
  AssistantContent,
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  Tool,
  ToolCall,
  ToolResultMessage,
} from "./types.ts";

const model = testModel({
  api: "api-a",
  id: "model-a",
  provider: "vendor-a",
  baseUrl: "https://a.example",
});
const blind: Model = { ...model, input: ["text"] };
const image: ImageContent = { type: "image", data: "QUJD", mimeType: "image/png" };

/** An answer of the model that is asked. */
const own = (
  content: AssistantContent[],
  fields: Partial<AssistantMessage> = {},
): AssistantMessage =>
  answer({ api: "api-a", provider: "vendor-a", model: "model-a", content, ...fields });
const foreign = (
  content: AssistantContent[],
  fields: Partial<AssistantMessage> = {},
): AssistantMessage => answer({ content, ...fields });
const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const text = (words: string): AssistantContent => ({ type: "text", text: words });
const call = (id: string, fields: Partial<ToolCall> = {}): ToolCall => ({
  type: "toolCall",
  id,
  name: "add",
  arguments: {},
  ...fields,
});
const result = (toolCallId: string, words = "3"): ToolResultMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "add",
  content: [{ type: "text", text: words }],
  isError: false,
  timestamp: 3,
});

/** Roles in order, and for results the id and text. */
const outline = (messages: Message[]): string[] =>
  messages.map((message) => {
    if (message.role !== "toolResult") return message.role;
    const [block] = message.content;
    return `${message.toolCallId}=${block?.type === "text" ? block.text : ""}`;
  });

describe("a transcript before it is sent", () => {
  it("A-010, P-023: content that is null counts as an empty list", () => {
    const broken = [
      { role: "user", content: null, timestamp: 1 },
      { ...own([]), content: null },
      own([call("c")]),
      { ...result("c"), content: undefined },
      { role: "system", content: null, timestamp: 1 },
    ] as unknown as Message[];
    expect(transformMessages(broken, model).map(({ content }) => content)).toEqual([
      [],
      [],
      [call("c")],
      [],
      [],
    ]);
  });

  it("A-011: a model that cannot see gets a placeholder for each run of images", () => {
    const messages: Message[] = [
      { role: "user", content: [image, image, { type: "text", text: "see" }, image], timestamp: 1 },
      own([call("c")]),
      { ...result("c"), content: [image] },
    ];
    const [shown, , given] = transformMessages(messages, blind);
    expect(shown?.content).toEqual([
      { type: "text", text: userImagePlaceholder },
      { type: "text", text: "see" },
      { type: "text", text: userImagePlaceholder },
    ]);
    expect(given?.content).toEqual([{ type: "text", text: toolImagePlaceholder }]);
    expect(userImagePlaceholder).not.toBe(toolImagePlaceholder);
    expect(transformMessages(messages, model)[0]?.content).toEqual(messages[0]?.content);
  });

  it("A-011: a placeholder that is there already is not doubled", () => {
    const placeholder = { type: "text", text: userImagePlaceholder } as const;
    for (const content of [
      [placeholder, image],
      [image, placeholder],
    ]) {
      const [message] = transformMessages([{ role: "user", content, timestamp: 1 }], blind);
      expect(message?.content).toEqual([placeholder]);
    }
  });

  it.each(["error", "aborted", "pending"] as const)(
    "A-012, A-020, W-34: an answer that ended as %s is left out, its results too",
    (stopReason) => {
      const messages = [
        user("a"),
        own([text("half"), call("c")], { stopReason }),
        result("c"),
        user("b"),
      ];
      expect(outline(transformMessages(messages, model))).toEqual(["user", "user"]);
    },
  );

  it("A-013, B051: another model's thinking is left out and becomes no text", () => {
    const thinking = { type: "thinking", thinking: "secret", thinkingSignature: "SIG" } as const;
    for (const other of [
      foreign([thinking, text("hi")]),
      own([thinking, text("hi")], { model: "model-b" }),
      own([thinking, text("hi")], { provider: "vendor-b" }),
      own([thinking, text("hi")], { api: "api-b" }),
    ]) {
      expect(transformMessages([other], model)[0]?.content).toEqual([text("hi")]);
    }
  });

  it("A-014: of its own thinking it gets what is signed, hidden or not blank", () => {
    const kept: AssistantContent[] = [
      { type: "thinking", thinking: "", thinkingSignature: "SIG" },
      { type: "thinking", thinking: "", thinkingSignature: "DATA", redacted: true },
      { type: "thinking", thinking: "plain" },
    ];
    const blank: AssistantContent = { type: "thinking", thinking: " \n" };
    expect(transformMessages([own([...kept, blank])], model)[0]?.content).toEqual(kept);
  });

  it("A-015: text and calls of another model lose their signatures, its own keep them", () => {
    const content: AssistantContent[] = [
      { type: "text", text: "hi", textSignature: "T", sources: [{ url: "https://a.example" }] },
      call("c", { thoughtSignature: "S", namespace: "n" }),
    ];
    const [other] = transformMessages([foreign(content)], model);
    expect(other?.content).toEqual([text("hi"), call("c")]);
    const [same] = transformMessages([own(content)], model);
    expect(same?.content).toEqual([
      { type: "text", text: "hi", textSignature: "T" },
      call("c", { thoughtSignature: "S", namespace: "n" }),
    ]);
  });

  it("A-016: ids of another model's calls are rewritten in calls and results, its own are not touched", () => {
    const messages = [
      foreign([call("a.1")]),
      result("a.1"),
      own([call("b.1")]),
      result("b.1", "4"),
    ];
    const normalizeToolCallId = (id: string): string => id.replace(".", "_");
    const sent = transformMessages(messages, model, { normalizeToolCallId });
    expect(outline(sent)).toEqual(["assistant", "a_1=3", "assistant", "b.1=4"]);
    expect(sent[0]?.content).toMatchObject([{ id: "a_1" }]);
    expect(sent[2]?.content).toMatchObject([{ id: "b.1" }]);
  });

  it("W-35, P-408: ids that become the same are told apart", () => {
    const normalizeToolCallId = (id: string): string => id.replace(/[^a-z0-9]/g, "_");
    const sent = transformMessages(
      [foreign([call("a.1"), call("a:1")]), result("a:1", "second"), result("a.1", "first")],
      model,
      { normalizeToolCallId },
    );
    expect(outline(sent)).toEqual(["assistant", "a_1=first", "a_1_2=second"]);
    expect(sent[0]?.content).toMatchObject([{ id: "a_1" }, { id: "a_1_2" }]);
  });

  it.each([
    ["before a user message", [own([call("c")]), user("next")]],
    ["before another answer", [own([call("c")]), own([text("hi")])]],
    ["at the end", [own([call("c")])]],
  ])("A-017: a call without a result %s gets one that says so", (_where, messages) => {
    expect(transformMessages(messages, model)[1]).toEqual({
      role: "toolResult",
      toolCallId: "c",
      toolName: "add",
      content: [{ type: "text", text: missingResultText }],
      isError: true,
      timestamp: 2,
    });
  });

  it("A-018, P-403: a system message between a call and its results moves behind them", () => {
    const system: Message = { role: "system", content: "S", timestamp: 1 };
    const messages = [
      own([call("c"), call("d")]),
      result("c"),
      system,
      result("d", "4"),
      user("x"),
    ];
    expect(outline(transformMessages(messages, model))).toEqual([
      "assistant",
      "c=3",
      "d=4",
      "system",
      "user",
    ]);
    const without = transformMessages([own([call("c")]), system, user("x")], model);
    expect(outline(without)).toEqual(["assistant", `c=${missingResultText}`, "system", "user"]);
  });

  it("A-019, A-021: lone surrogates are deleted everywhere, paired ones stay", () => {
    const cut = "a\ud83db😀";
    const messages: Message[] = [
      {
        role: "system",
        content: cut,
        sections: { s: cut },
        toolsAdded: [{ name: "t", description: cut, parameters: { title: cut } }],
        timestamp: 1,
      },
      user(cut),
      own([
        { type: "thinking", thinking: cut, thinkingSignature: "S" },
        text(cut),
        call("c", { arguments: { [cut]: cut } }),
      ]),
      result("c", cut),
    ];
    const sent = JSON.stringify(transformMessages(messages, model));
    expect(sent).not.toContain("\\ud83d");
    expect(sent.match(/ab😀/g)).toHaveLength(10);
  });

  it("A-020, B049, P-409: a result without a call is not sent, and of two results the first", () => {
    const messages = [
      result("before"),
      own([call("c")]),
      result("c", "first"),
      result("c", "second"),
      result("other"),
      user("x"),
    ];
    expect(outline(transformMessages(messages, model))).toEqual(["assistant", "c=first", "user"]);
  });

  it("A-020: two calls of one answer that share an id get a result each", () => {
    const sent = transformMessages(
      [own([call("c"), call("c")]), result("c", "1"), result("c", "2")],
      model,
    );
    expect(outline(sent)).toEqual(["assistant", "c=1", "c_2=2"]);
  });

  it("A-020: a result answers the newest call of its id that is open", () => {
    const sent = transformMessages(
      [own([call("c")]), result("c", "1"), own([call("c")]), result("c", "2")],
      model,
    );
    expect(outline(sent)).toEqual(["assistant", "c=1", "assistant", "c_2=2"]);
  });

  it("F-10: a call without a name is left out, one without an id gets one", () => {
    const sent = transformMessages([own([call("x", { name: "" }), call("")]), result("")], model);
    expect(outline(sent)).toEqual(["assistant", "call=3"]);
    expect(sent[0]?.content).toMatchObject([{ id: "call", name: "add" }]);
  });

  it("P-014: what was wrong with a call's arguments is not sent", () => {
    const broken = call("c", { argumentsError: "not JSON" });
    const [sent] = transformMessages([own([broken])], model);
    expect(sent?.content).toEqual([call("c")]);
  });

  it("P-018: of a result goes only what a model is told", () => {
    const full: ToolResultMessage = {
      ...result("c"),
      details: { private: true },
      durationMs: 5,
      nestedCalls: { calls: [], complete: true },
    };
    const [, sent] = transformMessages([own([call("c")]), full], model);
    expect(sent).toEqual(result("c"));
  });

  it("P-401, P-402: the vendor's own items and images go to the same model only", () => {
    const fields = { native: { api: "api-a", items: [{ a: "x\ud83d" }] }, images: [image] };
    const [same] = transformMessages([own([text("hi")], fields)], model);
    expect(same).toMatchObject({ native: { api: "api-a", items: [{ a: "x" }] }, images: [image] });
    const [other] = transformMessages([own([text("hi")], { ...fields, model: "model-b" })], model);
    expect(other).not.toHaveProperty("native");
    expect(other).not.toHaveProperty("images");
  });

  it("P-409: the stored transcript is never changed", () => {
    const messages: Message[] = [
      { role: "system", content: "S\ud83d", toolsAdded: [], timestamp: 1 },
      user("a\ud83d"),
      foreign([
        { type: "thinking", thinking: "t", thinkingSignature: "S" },
        call("a.1", { thoughtSignature: "S", arguments: { a: "\ud83d" }, argumentsError: "e" }),
      ]),
      { ...result("a.1"), content: [image] },
      own([text("x")], { native: { api: "api-a", items: [{ a: "\ud83d" }] } }),
    ];
    const before = structuredClone(messages);
    transformMessages(messages, blind, { normalizeToolCallId: () => "new" });
    expect(messages).toEqual(before);
  });
});

describe("what a vendor could not read", () => {
  it("an image is put right, or told of in words", () => {
    const drawing: ImageContent = { type: "image", data: "QUJD", mimeType: "image/svg+xml" };
    const url: ImageContent = { type: "image", data: "data:image/jpg;base64,QUI", mimeType: "" };
    const shown: ToolResultMessage = { ...result("c"), content: [drawing, drawing] };
    const messages: Message[] = [
      { role: "user", content: [url, drawing], timestamp: 1 },
      own([call("c")]),
      shown,
    ];
    const [asked, , answered] = transformMessages(messages, model);
    expect(asked?.content).toEqual([
      { type: "image", data: "QUI=", mimeType: "image/jpeg" },
      { type: "text", text: userImageUnreadable },
    ]);
    expect(answered?.content).toEqual([{ type: "text", text: toolImageUnreadable }]);
    const [wide] = transformMessages(messages, model, { imageTypes: new Set(["image/svg+xml"]) });
    expect(wide?.content).toEqual([{ type: "text", text: userImageUnreadable }, drawing]);
  });

  it("an id is without lone surrogates, and a taken one gets the form that the vendor wants", () => {
    const messages = [own([call("a\ud83d"), call("a")]), result("a\ud83d", "1"), result("a", "2")];
    const ids = (distinctToolCallId?: (id: string, count: number) => string): string[] =>
      transformMessages(messages, model, { distinctToolCallId }).flatMap((message) =>
        message.role === "toolResult" ? [message.toolCallId] : [],
      );
    expect(ids()).toEqual(["a", "a_2"]);
    expect(ids((id, count) => `${id}x${count}`)).toEqual(["a", "ax2"]);
  });

  it("a tool that one message declares twice is declared once, as it was declared last", () => {
    const tool = (description: string): Tool => ({ name: "t\ud83d", description, parameters: {} });
    const [message] = transformMessages(
      [{ role: "system", content: "", toolsAdded: [tool("a"), tool("b\ud83d")], timestamp: 1 }],
      model,
    );
    expect(message).toMatchObject({ toolsAdded: [{ name: "t\ud83d", description: "b" }] });
    expect(message?.role === "system" && message.toolsAdded).toHaveLength(1);
  });
});
