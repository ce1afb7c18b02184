import { describe, expect, it } from "vitest";
import {
  callPart,
  chunk,
  finish,
  streamBody,
  text,
  usageChunk,
} from "../../testing/completions-chunks.ts";
import { checkEventOrder } from "../../testing/event-order.ts";
import { play, playAnswer, typesOf } from "../../testing/play-completions.ts";

describe("the end", () => {
  it.each([
    ["stop", "stop"],
    ["end", "stop"],
    ["eos", "stop"],
    ["stop_sequence", "stop"],
    ["COMPLETE", "stop"],
    ["STOP", "stop"],
    ["tool_calls", "stop"],
    ["length", "length"],
    ["max_tokens", "length"],
    ["model_length", "length"],
  ])("W-09: finish reason %s after text is %s", async (raw, stopReason) => {
    const { message } = await play([text("Hi"), finish(raw)]);
    expect(message).toMatchObject({ stopReason, rawStopReason: raw });
    expect(message.errorMessage).toBeUndefined();
  });

  it.each(["stop", "tool_calls", "function_call", "eos"])(
    "W-08: finish reason %s after a call is toolUse",
    async (raw) => {
      const { message } = await play([
        callPart({ index: 0, id: "a", name: "f", arguments: "{}" }),
        finish(raw),
      ]);
      expect(message.stopReason).toBe("toolUse");
    },
  );

  it("X13: an unknown word keeps a finished answer, and is noted", async () => {
    const { message } = await play([text("Hi"), finish("moonrise")]);
    expect(message).toMatchObject({
      stopReason: "stop",
      rawStopReason: "moonrise",
      diagnostics: [
        { type: "unknown-finish-reason", error: { message: "Finish reason: moonrise" } },
      ],
    });
    const empty = await play([finish("moonrise")]);
    expect(empty.message).toMatchObject({
      stopReason: "error",
      errorMessage: expect.stringContaining("moonrise"),
    });
  });

  it.each([
    ["content_filter", "content-filter"],
    ["network_error", "network"],
    ["insufficient_system_resource", "overloaded"],
    ["abort", "unknown"],
    ["error", "unknown"],
  ])("finish reason %s is an error that names it", async (raw, errorClass) => {
    const run = await play([text("Ha"), finish(raw)]);
    expect(run.message).toMatchObject({
      stopReason: "error",
      rawStopReason: raw,
      content: [{ text: "Ha" }],
      errorMessage: expect.stringContaining(raw),
      diagnostics: [{ details: { class: errorClass } }],
    });
    expect(checkEventOrder(run.events)).toEqual([]);
  });

  it("X16: an announced call that never comes is an error when there is nothing else", async () => {
    const { message } = await play([finish("tool_calls")]);
    expect(message).toMatchObject({
      stopReason: "error",
      errorMessage: expect.stringContaining("tool call"),
    });
  });

  it("[DONE] may be missing after a finish reason, and nothing is read after it", async () => {
    const missing = await playAnswer({ body: streamBody([text("Hi"), finish("stop")], false) });
    expect(missing.message.stopReason).toBe("stop");
    const body = streamBody([text("Hi"), finish("stop")]) + streamBody([text(" ghost")]);
    const after = await playAnswer({ body, thenSilence: true });
    expect(after.message).toMatchObject({ stopReason: "stop", content: [{ text: "Hi" }] });
  });

  it.each([
    ["without [DONE]", false],
    ["with [DONE]", true],
  ])(
    "P-206: no finish reason, %s, is an error that keeps the text and leaves blocks open",
    async (_name, done) => {
      const run = await playAnswer({ body: streamBody([text("Hi")], done) });
      expect(run.message).toMatchObject({
        stopReason: "error",
        content: [{ text: "Hi" }],
        diagnostics: [{ details: { class: "ended-early" } }],
      });
      expect(typesOf(run)).toEqual(["start", "text_start", "text_delta", "error"]);
    },
  );

  it("a host that sends none gets one by what came", async () => {
    const compat = { supportsFinishReason: false };
    const plain = await play([text("Hi")], { compat });
    expect(plain.message.stopReason).toBe("stop");
    const call = callPart({ index: 0, id: "a", name: "f", arguments: "{}" });
    expect((await play([call], { compat })).message.stopReason).toBe("toolUse");
  });

  it("silence after the finish reason is an end, before it a timeout", async () => {
    const options = { timeoutMs: 500 };
    const body = streamBody([text("Hi"), finish("stop")], false);
    const ended = await playAnswer({ body, thenSilence: true }, { options });
    expect(ended.message.stopReason).toBe("stop");
    const cut = await playAnswer(
      { body: streamBody([text("Hi")], false), thenSilence: true },
      { options },
    );
    expect(cut.message).toMatchObject({
      stopReason: "error",
      content: [{ text: "Hi" }],
      diagnostics: [{ details: { class: "timeout" } }],
    });
  });

  it.each([
    ["after", [text("Hi"), finish("stop")], "stop"],
    ["before", [text("Hi")], "error"],
  ])("a connection that breaks %s the finish reason", async (_name, events, stopReason) => {
    const bytes = new TextEncoder().encode(streamBody(events, false));
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) controller.error(new TypeError("terminated"));
        else controller.enqueue(bytes);
        sent = true;
      },
    });
    const fetch = async (): Promise<Response> =>
      new Response(body, { headers: { "content-type": "text/event-stream" } });
    const { message } = await playAnswer({}, { options: { fetch } });
    expect(message).toMatchObject({ stopReason, content: [{ text: "Hi" }] });
  });

  it("thinking that used up the limit says so", async () => {
    const { message } = await play([
      chunk({ content: "" }),
      finish("length"),
      usageChunk({
        prompt_tokens: 20,
        completion_tokens: 200,
        completion_tokens_details: { reasoning_tokens: 199 },
      }),
    ]);
    expect(message).toMatchObject({
      stopReason: "length",
      diagnostics: [{ type: "thinking-used-limit" }],
      usage: { input: 20, output: 200, reasoning: 199 },
    });
  });
});
