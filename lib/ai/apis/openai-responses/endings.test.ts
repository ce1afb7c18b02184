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
  type ResponseEvent,
} from "../../testing/responses-events.ts";
import { play, playEvents } from "../../testing/responses-play.ts";
import { testModel, transcript } from "../../testing/run-stream.ts";
import { sse, startVendor } from "../../testing/vendor-server.ts";
import { stream, streamSimple } from "./index.ts";

describe("how an answer ends", () => {
  const text = messageEvents(0, ["Part"]);
  const ended = (kind: string, response: ResponseEvent): ResponseEvent[] => [
    created,
    ...text.slice(0, -1),
    { type: `response.${kind}`, response: { id: "resp_1", status: kind, ...response } },
  ];

  it("P-347: a refusal is text", async () => {
    const { message } = await playEvents([
      created,
      added(0, messageItem("", { content: [] })),
      delta("refusal", 0, "I can't "),
      delta("refusal", 0, "help."),
      itemDone(0, messageItem("", { content: [{ type: "refusal", refusal: "I can't help." }] })),
      completed(),
    ]);
    expect(message.content).toMatchObject([{ type: "text", text: "I can't help." }]);
    expect(message.stopReason).toBe("stop");
  });

  it("at its limit it is cut to length, with what is wrong with a call that was cut", async () => {
    const { events, message } = await playEvents([
      created,
      added(0, callItem()),
      delta("function_call_arguments", 0, '{"a":48'),
      {
        type: "response.incomplete",
        response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
      },
    ]);
    expect(checkEventOrder(events)).toEqual([]);
    expect(message).toMatchObject({ stopReason: "length", rawStopReason: "incomplete" });
    const [block] = message.content;
    expect(block?.type === "toolCall" && block.argumentsError).toContain('{"a":48');
  });

  it("P-405: a filtered answer is an error that keeps its text and its open block", async () => {
    const { events, message } = await playEvents(
      ended("incomplete", {
        incomplete_details: { reason: "content_filter" },
        usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      }),
    );
    expect(message.errorMessage).toContain("content_filter");
    expect(message.diagnostics?.[0]?.details?.class).toBe("content-filter");
    expect(message.content).toMatchObject([{ text: "Part" }]);
    expect(message.usage.totalTokens).toBe(3);
    expect(events.map(({ type }) => type)).not.toContain("text_end");
  });

  it.each([
    [
      "failed",
      { error: { code: "rate_limit_exceeded", message: "Limit 30000" } },
      "rate_limit_exceeded: Limit 30000",
      "rate-limit",
    ],
    ["failed", { error: { code: null, message: "Something broke" } }, "Something broke", "unknown"],
    ["cancelled", {}, "cancelled", "unknown"],
  ])("a response that is %s is an error (%j)", async (kind, response, words, errorClass) => {
    const { message } = await playEvents(ended(kind, response));
    expect(message).toMatchObject({ stopReason: "error", rawStopReason: kind });
    expect(message.errorMessage).toContain(words);
    expect(message.errorMessage).not.toMatch(/null|undefined/);
    expect(message.diagnostics?.[0]?.details?.class).toBe(errorClass);
    expect(message.content).toMatchObject([{ text: "Part" }]);
  });

  it.each([
    [{ type: "error", code: "server_error", message: "Try again", param: null }],
    [{ type: "error", error: { type: "server_error", code: null, message: "Try again" } }],
    [{ error: { code: "server_error", message: "Try again" } }],
  ])("an error event ends it at once: %j", async (failure) => {
    const { events, message } = await playEvents([created, ...text, failure, completed()]);
    expect(events.filter(({ type }) => type === "error")).toHaveLength(1);
    expect(message.errorMessage).toBe("server_error: Try again");
    expect(message.diagnostics?.[0]?.details).toMatchObject({
      class: "overloaded",
      code: "server_error",
    });
  });

  it("P-206: a stream that just ends is an error", async () => {
    const { message } = await playEvents([created, ...text]);
    expect(message.stopReason).toBe("error");
    expect(message.diagnostics?.[0]?.details?.class).toBe("ended-early");
    expect(message.content).toMatchObject([{ text: "Part" }]);
  });

  it("a call that never came to its end is an error, not a call to run", async () => {
    const { message } = await playEvents([
      created,
      added(0, callItem()),
      delta("function_call_arguments", 0, '{"a":1}'),
      completed(),
    ]);
    expect(message.stopReason).toBe("error");
    expect(message.errorMessage).toContain("add");
  });

  it("X13: a status that nobody knows keeps the answer", async () => {
    const { message } = await playEvents([created, ...text, completed([], { status: "finished" })]);
    expect(message).toMatchObject({ stopReason: "stop", rawStopReason: "finished" });
    expect(message.diagnostics).toMatchObject([{ type: "unknown-stop-reason" }]);
  });

  it("P-262: an abort keeps what came", async () => {
    const vendor = await startVendor({
      body: sse([created, ...text.slice(0, -1)], true),
      thenSilence: true,
    });
    const controller = new AbortController();
    const answer = streamSimple(
      testModel({ api: "openai-responses", id: "m", baseUrl: `${vendor.origin}/v1` }),
      transcript(),
      { apiKey: "k", signal: controller.signal },
    );
    for await (const event of answer) if (event.type === "text_delta") controller.abort();
    const message = await answer.result();
    expect(message).toMatchObject({ stopReason: "aborted", content: [{ text: "Part" }] });
    await vendor.closed;
    await vendor.stop();
  });
});

describe("a request that is refused", () => {
  it.each([
    [
      401,
      '{"error":{"message":"Incorrect key","code":"invalid_api_key"}}',
      "auth",
      "Incorrect key",
    ],
    [
      400,
      '{"code":"invalid-argument","error":"Model not found: m"}',
      "not-found",
      "Model not found: m",
    ],
    [404, '{"detail":"Not Found here"}', "not-found", "Not Found here"],
    [
      502,
      "<html><head><title>502 Bad Gateway</title></head></html>",
      "overloaded",
      "502 Bad Gateway",
    ],
    [
      400,
      '{"error":{"message":"Your input is too big.","code":"context_length_exceeded"}}',
      "context-overflow",
      "Your input is too big.",
    ],
  ])("with %i says why in the vendor's words: %s", async (status, body, errorClass, words) => {
    const { events, message } = await play({ status, body, contentType: "application/json" });
    expect(events.map(({ type }) => type)).toEqual(["error"]);
    expect(message.errorMessage).toContain(words);
    expect(message.errorMessage).not.toContain("<html");
    expect(message.diagnostics?.[0]?.details).toMatchObject({ class: errorClass, status });
  });

  it("P-271: without a key is an event, or an exception where it is called directly", async () => {
    const model = testModel({
      api: "openai-responses",
      id: "m",
      baseUrl: "https://api.example/v1",
    });
    expect(() => streamSimple(model, transcript())).toThrow("There is no API key for vendor.");
    const message = await stream(model, transcript()).result();
    expect(message).toMatchObject({
      stopReason: "error",
      errorMessage: "There is no API key for vendor.",
    });
  });
});
