import { describe, expect, it } from "vitest";
import { callPart, chunk, finish, text } from "../../testing/completions-chunks.ts";
import { checkEventOrder } from "../../testing/event-order.ts";
import { play, playAnswer } from "../../testing/play-completions.ts";

describe("text", () => {
  it("W-12: after a call it is a block of its own", async () => {
    const run = await play([
      text("A"),
      callPart({ index: 0, id: "c", name: "f", arguments: "{}" }),
      text("B"),
      finish("tool_calls"),
    ]);
    expect(checkEventOrder(run.events)).toEqual([]);
    expect(run.message.content).toMatchObject([{ text: "A" }, { name: "f" }, { text: "B" }]);
  });

  it("white space between thinking and a call makes no block, and is kept before words", async () => {
    const run = await play([
      chunk({ reasoning: "Hm." }),
      text("\n\n"),
      callPart({ index: 0, id: "c", name: "f", arguments: "{}" }),
      text("\n"),
      text("So."),
      finish("stop"),
    ]);
    expect(run.message.content).toMatchObject([
      { thinking: "Hm." },
      { name: "f" },
      { text: "\nSo." },
    ]);
  });

  it("W-10: content may be a list of parts", async () => {
    const thinking = (part: unknown): unknown =>
      chunk({ content: [{ type: "thinking", thinking: part }] });
    const { message } = await play([
      thinking([{ type: "text", text: "Twelve " }]),
      thinking("squared."),
      chunk({
        content: [
          { type: "text", text: "1" },
          { type: "reference", reference_ids: [1] },
        ],
      }),
      text("44"),
      finish("stop"),
    ]);
    expect(message.content).toEqual([
      { type: "thinking", thinking: "Twelve squared." },
      { type: "text", text: "144" },
    ]);
  });

  it("W-11: a refusal is text, and noted", async () => {
    const { message } = await play([
      chunk({ content: null, refusal: "I can't " }),
      chunk({ refusal: "do that." }),
      finish("stop"),
    ]);
    expect(message).toMatchObject({
      stopReason: "stop",
      content: [{ type: "text", text: "I can't do that." }],
      diagnostics: [{ type: "refusal", details: { class: "content-filter" } }],
    });
  });

  it("a pair of surrogates that two chunks share comes together", async () => {
    const { message } = await play([text("\ud83d"), text("\ude00"), finish("stop")]);
    expect(message.content).toEqual([{ type: "text", text: "😀" }]);
  });

  it("the whole message in place of a delta is read once", async () => {
    const message = { role: "assistant", content: "pong" };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    const run = await play([
      { id: "1", choices },
      { id: "1", choices },
    ]);
    expect(run.message).toMatchObject({ stopReason: "stop", content: [{ text: "pong" }] });
  });
});

describe("thinking", () => {
  it("the first of two fields with the same text counts, and text may stand beside it", async () => {
    const { message } = await play([
      chunk({ reasoning_content: "Hm. ", reasoning: "Hm. " }),
      chunk({ reasoning: "Yes.", content: "Hi" }),
      finish("stop"),
    ]);
    expect(message.content).toEqual([
      { type: "thinking", thinking: "Hm. Yes.", thinkingSignature: "reasoning_content" },
      { type: "text", text: "Hi" },
    ]);
  });

  it("details become one signature, pieces of a text joined, even when they come late", async () => {
    const detail = (fields: Record<string, unknown>): unknown => ({
      type: "reasoning.text",
      index: 0,
      format: "x-v1",
      ...fields,
    });
    const encrypted = { type: "reasoning.encrypted", data: "OPAQUE", index: 1 };
    const run = await play([
      chunk({ reasoning: "One ", reasoning_details: [detail({ text: "One " })] }),
      chunk({ reasoning: "two.", reasoning_details: [detail({ text: "two.", signature: null })] }),
      text("Done."),
      chunk({ reasoning_details: [detail({ signature: "SIG" }), encrypted] }),
      finish("stop"),
    ]);
    expect(checkEventOrder(run.events)).toEqual([]);
    expect(run.message.content).toEqual([
      {
        type: "thinking",
        thinking: "One two.",
        thinkingSignature: JSON.stringify([
          { type: "reasoning.text", index: 0, format: "x-v1", text: "One two.", signature: "SIG" },
          encrypted,
        ]),
      },
      { type: "text", text: "Done." },
    ]);
  });

  it("encrypted details without text are redacted thinking before the call", async () => {
    const details = [{ type: "reasoning.encrypted", data: "OPAQUE", id: "c" }];
    const run = await play([
      chunk({ content: "", reasoning_details: details }),
      callPart({ index: 0, id: "c", name: "f", arguments: "{}" }),
      finish("tool_calls"),
    ]);
    expect(checkEventOrder(run.events)).toEqual([]);
    expect(run.message.content).toEqual([
      {
        type: "thinking",
        thinking: "",
        thinkingSignature: JSON.stringify(details),
        redacted: true,
      },
      { type: "toolCall", id: "c", name: "f", arguments: {} },
    ]);
  });

  it("unsigned details beside reasoning_content add nothing to it", async () => {
    const { message } = await play([
      chunk({
        reasoning_content: "Hm.",
        reasoning_details: [{ type: "reasoning.text", text: "Hm." }],
      }),
      finish("stop"),
    ]);
    expect(message.content).toMatchObject([{ thinkingSignature: "reasoning_content" }]);
  });
});

describe("thinking inside tags", () => {
  const tagged = { compat: { inlineThinkTags: true } };
  it.each([
    ["in one piece", ["<think>plan</think>\n\nHi <b>"]],
    ["cut anywhere", [..."<think>plan</think>\n\nHi <b>"]],
    ["after white space", ["\n <thi", "nk>", "\nplan", "</", "think>", "\n", "\nHi ", "<b>"]],
  ])("%s is told apart, and no part of a tag is seen", async (_name, pieces) => {
    const run = await play([...pieces.map(text), finish("stop")], tagged);
    const deltas = run.events.map((event) => ("delta" in event ? event.delta : "")).join("");
    expect(deltas.trim()).toBe("planHi <b>");
    expect(run.message.content.map((block) => block.type)).toEqual(["thinking", "text"]);
    expect(run.message.content).toMatchObject([
      { thinking: expect.stringMatching(/^\n?plan$/) },
      { text: "Hi <b>" },
    ]);
  });

  it("nothing inside them is no thinking, and other text stays as it is", async () => {
    const empty = await play([text("<think>\n\n</think>\n\nHi"), finish("stop")], tagged);
    expect(empty.message.content).toEqual([{ type: "text", text: "Hi" }]);
    const html = await play([text("<thing> & </think>"), finish("stop")], tagged);
    expect(html.message.content).toEqual([{ type: "text", text: "<thing> & </think>" }]);
    const short = await play([text("<thi"), finish("stop")], tagged);
    expect(short.message.content).toEqual([{ type: "text", text: "<thi" }]);
  });

  it("an answer that is cut off inside them is all thinking", async () => {
    const { message } = await play([text("<think>so </th"), finish("length")], tagged);
    expect(message).toMatchObject({ stopReason: "length", content: [{ thinking: "so </th" }] });
  });

  it("white space without end is let through", async () => {
    const { message } = await play(
      [text(" ".repeat(300)), text("<think>"), finish("stop")],
      tagged,
    );
    expect(message.content).toMatchObject([{ text: expect.stringMatching(/^ {300}<think>$/) }]);
  });

  it("are text where the host tells thinking apart, or is not known to use them", async () => {
    const apart = await play(
      [chunk({ reasoning: "Hm." }), text("<think>"), finish("stop")],
      tagged,
    );
    expect(apart.message.content).toMatchObject([{ thinking: "Hm." }, { text: "<think>" }]);
    const plain = await play([text("<think>a</think>b"), finish("stop")]);
    expect(plain.message.content).toEqual([{ type: "text", text: "<think>a</think>b" }]);
  });
});

describe("chunks of other shapes", () => {
  it("only choice 0 counts; choices may be empty, null or absent; what is no JSON is skipped", async () => {
    const body = [
      'data: {"id":"","model":"","choices":[],"prompt_filter_results":[]}',
      ": ping",
      "data: : keep-alive",
      "data: null",
      "data: 7",
      `data: ${JSON.stringify(text("a"))}`,
      `data: ${JSON.stringify(chunk({ content: "OTHER" }, { index: 1, finish: "length" }))}`,
      'data: {"choices":null}',
      'data: {"choices":["x",{"index":0,"delta":null}]}',
      'data: {"choices":[{"delta":{"content":5,"tool_calls":[null,{}],"reasoning":{}}}]}',
      `data:${JSON.stringify(chunk({ content: "b" }, { finish: "stop", model: "other-model" }))}`,
      "data: [DONE]",
    ];
    const { message } = await playAnswer({ body: `${body.join("\r\n\r\n")}\r\n\r\n` });
    expect(message).toMatchObject({
      stopReason: "stop",
      rawStopReason: "stop",
      responseId: "chatcmpl-1",
      responseModel: "other-model",
      content: [{ type: "text", text: "ab" }],
      usage: { unreported: true, input: 0, output: 0 },
    });
  });

  it("images and sources beside the text are kept", async () => {
    const { message } = await play([
      chunk({
        content: "See.",
        annotations: [
          {
            type: "url_citation",
            url_citation: { url: "https://a.example", title: "A", start_index: 0, end_index: 3 },
          },
        ],
      }),
      chunk({ images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] }),
      { ...finish("stop"), citations: ["https://b.example"] },
    ]);
    expect(message.images).toEqual([{ type: "image", mimeType: "image/png", data: "AAAA" }]);
    expect(message.content).toEqual([
      {
        type: "text",
        text: "See.",
        sources: [
          { url: "https://a.example", title: "A", start: 0, end: 3 },
          { url: "https://b.example" },
        ],
      },
    ]);
  });
});
