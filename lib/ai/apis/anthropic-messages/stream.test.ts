import { afterEach, describe, expect, it } from "vitest";
import { checkEventOrder } from "../../testing/event-order.ts";
import { readAll, type StreamRun, testModel, transcript } from "../../testing/run-stream.ts";
import {
  sse,
  startVendor,
  type VendorAnswer,
  type VendorServer,
} from "../../testing/vendor-server.ts";
import type { Model, SimpleStreamOptions, Tool } from "../../types.ts";
import { stream, streamSimple } from "./index.ts";

type Event = Record<string, unknown>;

const messageStart = (fields: Event = {}): Event => ({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-test-1",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 20, cache_read_input_tokens: 5, output_tokens: 1 },
    ...fields,
  },
});
const blockStart = (index: number, content_block: Event): Event => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, fields: Event): Event => ({
  type: "content_block_delta",
  index,
  delta: fields,
});
const blockStop = (index: number): Event => ({ type: "content_block_stop", index });
const messageDelta = (stop_reason: string, usage: Event = { output_tokens: 9 }): Event => ({
  type: "message_delta",
  delta: { stop_reason, stop_sequence: null },
  usage,
});
const messageStop: Event = { type: "message_stop" };
const textBlock = (index: number, ...texts: string[]): Event[] => [
  blockStart(index, { type: "text", text: "" }),
  ...texts.map((text) => delta(index, { type: "text_delta", text })),
  blockStop(index),
];
const whole = (stopReason: string, ...content: Event[]): Event[] => [
  messageStart(),
  ...content,
  messageDelta(stopReason),
  messageStop,
];

let vendor: VendorServer | undefined;
afterEach(async () => {
  await vendor?.stop();
  vendor = undefined;
});

async function play(
  answers: VendorAnswer[],
  options: SimpleStreamOptions = {},
  model: Partial<Model> = {},
  tools?: Tool[],
): Promise<StreamRun> {
  vendor = await startVendor(...answers);
  return readAll(
    streamSimple(
      testModel({ api: "anthropic-messages", id: "claude-test", baseUrl: vendor.origin, ...model }),
      transcript({ messages: [{ role: "user", content: "hi", timestamp: 1 }], tools }),
      { apiKey: "key-1", maxRetries: 0, ...options },
    ),
  );
}

const playEvents = (events: Event[], options?: SimpleStreamOptions): Promise<StreamRun> =>
  play([{ body: sse(events, true) }], options);

const everything: Event[] = [
  messageStart({
    usage: {
      input_tokens: 20,
      cache_creation_input_tokens: 8,
      cache_read_input_tokens: 5,
      cache_creation: { ephemeral_1h_input_tokens: 3 },
      output_tokens: 1,
    },
  }),
  { type: "ping" },
  blockStart(0, { type: "thinking", thinking: "", signature: "" }),
  delta(0, { type: "thinking_delta", thinking: "Let me " }),
  delta(0, { type: "thinking_delta", thinking: "see." }),
  delta(0, { type: "signature_delta", signature: "SIG" }),
  blockStop(0),
  blockStart(1, { type: "redacted_thinking", data: "SECRET" }),
  blockStop(1),
  ...textBlock(2, "On ", "it 👍."),
  blockStart(3, { type: "tool_use", id: "toolu_1", name: "add", input: {} }),
  delta(3, { type: "input_json_delta", partial_json: "" }),
  delta(3, { type: "input_json_delta", partial_json: '{"a":1,' }),
  delta(3, { type: "input_json_delta", partial_json: '"b":2}' }),
  blockStop(3),
  { type: "some_future_event", index: 9 },
  messageDelta("tool_use", {
    output_tokens: 30,
    output_tokens_details: { thinking_tokens: 12 },
    input_tokens: null,
  }),
  messageStop,
];

describe("an answer of the Messages API", () => {
  it.each([undefined, 1, 7])(
    "becomes blocks, usage and a stop reason (chunks of %s)",
    async (chunk) => {
      const { events, message } = await play([{ body: sse(everything, true), chunk }]);

      expect(checkEventOrder(events)).toEqual([]);
      expect(message.content).toEqual([
        { type: "thinking", thinking: "Let me see.", thinkingSignature: "SIG" },
        { type: "thinking", thinking: "", redacted: true, thinkingSignature: "SECRET" },
        { type: "text", text: "On it 👍." },
        { type: "toolCall", id: "toolu_1", name: "add", arguments: { a: 1, b: 2 } },
      ]);
      expect(message).toMatchObject({
        responseId: "msg_1",
        responseModel: "claude-test-1",
        stopReason: "toolUse",
        rawStopReason: "tool_use",
      });
      expect(message.native).toBeUndefined();
      expect(message.usage).toMatchObject({
        input: 20,
        output: 30,
        cacheRead: 5,
        cacheWrite: 8,
        cacheWrite1h: 3,
        reasoning: 12,
        totalTokens: 63,
      });
      // 20 in, 30 out, 5 read, 5 written for minutes at 3.75, 3 written for an hour at twice the price of input.
      expect(message.usage.cost.total).toBeCloseTo((60 + 450 + 1.5 + 18.75 + 18) / 1e6, 12);
    },
  );

  it("tells the events in order, and an exchange of two is noticed", async () => {
    const { events } = await playEvents(everything);

    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "thinking_start",
      "thinking_delta",
      "thinking_delta",
      "thinking_end",
      "thinking_start",
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
    // Between two blocks that are each whole, the order of one's end and the next one's start is free.
    const borders = ["thinking_end", "text_end"];
    for (let at = 0; at + 1 < events.length; at++) {
      const [first, second] = [events[at], events[at + 1]];
      if (!first || !second || first.type === second.type) continue;
      if (borders.includes(first.type)) continue;
      const swapped = events.with(at, second).with(at + 1, first);
      expect(checkEventOrder(swapped), `${first.type} and ${second.type}`).not.toEqual([]);
    }
  });

  it("keeps input that stands whole where the block begins", async () => {
    const { message } = await playEvents(
      whole(
        "tool_use",
        blockStart(0, { type: "tool_use", id: "t", name: "roll", input: { sides: 6 } }),
        blockStop(0),
      ),
    );
    expect(message.content).toEqual([
      { type: "toolCall", id: "t", name: "roll", arguments: { sides: 6 } },
    ]);
  });

  it("reads a last event without a blank line behind it", async () => {
    const body = sse(whole("end_turn", ...textBlock(0, "Hi")), true).trimEnd();
    const { message } = await play([{ body }]);
    expect(message.stopReason).toBe("stop");
  });

  it("gives a call without an id one, and says what is wrong with arguments that are not JSON", async () => {
    const { message } = await playEvents(
      whole(
        "tool_use",
        blockStart(0, { type: "tool_use", name: "add", input: {} }),
        delta(0, { type: "input_json_delta", partial_json: '{"a":' }),
        blockStop(0),
      ),
    );
    const [call] = message.content;
    expect(call).toMatchObject({ name: "add", arguments: {} });
    expect(call?.type === "toolCall" && call.id).toMatch(/^call_/);
    expect(call?.type === "toolCall" && call.argumentsError).toContain('{"a":');
  });

  it("maps stop reasons by what the answer holds", async () => {
    const reasons = {
      end_turn: "stop",
      stop_sequence: "stop",
      max_tokens: "length",
      model_context_window_exceeded: "length",
      tool_use: "stop",
      brand_new_reason: "stop",
    };
    for (const [raw, expected] of Object.entries(reasons)) {
      const { message } = await playEvents(whole(raw, ...textBlock(0, "Hi")));
      expect([raw, message.stopReason, message.rawStopReason]).toEqual([raw, expected, raw]);
      await vendor?.stop();
    }
  });

  it("notes a stop reason that it does not know", async () => {
    const { message } = await playEvents(whole("brand_new_reason", ...textBlock(0, "Hi")));
    expect(message.diagnostics).toMatchObject([
      { type: "unknown-stop-reason", details: { stopReason: "brand_new_reason" } },
    ]);
  });

  it("ends a turn that the vendor paused so that it can be sent back", async () => {
    const { message } = await playEvents(
      whole(
        "pause_turn",
        blockStart(0, { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} }),
        delta(0, { type: "input_json_delta", partial_json: '{"query":"tea"}' }),
        blockStop(0),
      ),
    );
    expect(message).toMatchObject({ stopReason: "stop", endTurn: false, content: [] });
    expect(message.native?.items).toEqual([
      { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "tea" } },
    ]);
  });

  it("keeps server-side tools out of the content, and citations as sources", async () => {
    const result = {
      type: "web_search_tool_result",
      tool_use_id: "srv_1",
      content: [{ type: "web_search_result", url: "https://tea.example", encrypted_content: "E" }],
    };
    const citation = {
      type: "web_search_result_location",
      url: "https://tea.example",
      title: "Tea",
      cited_text: "…",
      encrypted_index: "I",
    };
    const { events, message } = await playEvents(
      whole(
        "end_turn",
        blockStart(0, { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} }),
        blockStop(0),
        blockStart(1, result),
        blockStop(1),
        blockStart(2, { type: "text", text: "", citations: [] }),
        delta(2, { type: "citations_delta", citation }),
        delta(2, { type: "text_delta", text: "Tea is a plant." }),
        blockStop(2),
        blockStart(3, { type: "block_of_the_future", data: 1 }),
        delta(3, { type: "future_delta", data: 2 }),
        blockStop(3),
      ),
    );
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toEqual([
      {
        type: "text",
        text: "Tea is a plant.",
        sources: [{ url: "https://tea.example", title: "Tea" }],
      },
    ]);
    expect(message.stopReason).toBe("stop");
    expect(message.native?.items).toEqual([
      { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
      result,
      { type: "text", text: "Tea is a plant.", citations: [citation] },
      { type: "block_of_the_future", data: 1 },
    ]);
  });

  it("takes the newer of two beginnings when nothing was shown", async () => {
    const { message } = await playEvents([
      messageStart({ id: "msg_old", usage: { input_tokens: 99, cache_read_input_tokens: 99 } }),
      ...whole("end_turn", ...textBlock(0, "Hi")),
    ]);
    expect(message).toMatchObject({ responseId: "msg_1", stopReason: "stop" });
    expect(message.usage).toMatchObject({ input: 20, cacheRead: 5 });
  });

  it("fails when a host begins anew behind text that was shown", async () => {
    const { message } = await playEvents([
      messageStart(),
      ...textBlock(0, "Half"),
      ...whole("end_turn", ...textBlock(0, "Whole")),
    ]);
    expect(message.stopReason).toBe("error");
    expect(message.errorMessage).toContain("anew");
    expect(message.content).toEqual([{ type: "text", text: "Half" }]);
  });

  it("prices an answer that another model gave by that model's prices", async () => {
    const { message } = await play(
      [
        {
          body: sse(
            [
              messageStart(),
              blockStart(0, {
                type: "fallback",
                from: { model: "claude-test" },
                to: { model: "claude-other" },
              }),
              blockStop(0),
              ...textBlock(1, "Hi"),
              messageDelta("end_turn", {
                input_tokens: 100,
                cache_read_input_tokens: 0,
                output_tokens: 10,
                iterations: [
                  { type: "message" },
                  { type: "fallback_message", model: "claude-other" },
                ],
              }),
              messageStop,
            ],
            true,
          ),
        },
      ],
      {},
      {
        compat: {
          allowedFallbackModels: [
            {
              provider: "anthropic",
              model: "claude-other",
              cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
            },
          ],
        },
      },
    );
    expect(message.usage.cost.total).toBeCloseTo(120 / 1e6, 12);
    expect(vendor?.requests[0]?.body.fallbacks).toEqual([{ model: "claude-other" }]);
    expect(vendor?.requests[0]?.headers["anthropic-beta"]).toContain("server-side-fallback");
  });
});

describe("a failure of the Messages API", () => {
  it("in mid-stream keeps what arrived", async () => {
    const { events, message } = await playEvents([
      messageStart(),
      blockStart(0, { type: "text", text: "" }),
      delta(0, { type: "text_delta", text: "The causes are" }),
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "error", reason: "error" });
    expect(events.map(({ type }) => type)).not.toContain("text_end");
    expect(message.content).toEqual([{ type: "text", text: "The causes are" }]);
    expect(message.errorMessage).toBe("Overloaded (overloaded_error)");
    expect(message.diagnostics?.[0]?.details).toMatchObject({ class: "overloaded" });
    expect(message.usage.input).toBe(20);
  });

  it("is an end without message_stop", async () => {
    const { message } = await playEvents([
      messageStart(),
      blockStart(0, { type: "tool_use", id: "t", name: "save", input: {} }),
      delta(0, { type: "input_json_delta", partial_json: '{"a":"fa' }),
    ]);
    expect(message.stopReason).toBe("error");
    expect(message.errorMessage).toContain("message_stop");
    expect(message.diagnostics?.[0]?.details?.class).toBe("ended-early");
  });

  it("is a refusal, with the vendor's explanation", async () => {
    const { message } = await playEvents([
      messageStart(),
      {
        type: "message_delta",
        delta: {
          stop_reason: "refusal",
          stop_details: { type: "refusal", category: "cyber", explanation: "No malware." },
        },
        usage: { output_tokens: 2 },
      },
      messageStop,
    ]);
    expect(message.errorMessage).toBe("The model refused to answer (cyber): No malware.");
    expect(message.rawStopReason).toBe("refusal");
    expect(message.diagnostics?.[0]?.details?.class).toBe("content-filter");
  });

  it("is an HTTP status with the vendor's sentence", async () => {
    const { message } = await play([
      {
        status: 404,
        contentType: "application/json",
        body: JSON.stringify({
          type: "error",
          error: { type: "not_found_error", message: "model: claude-nope" },
        }),
      },
    ]);
    expect(message.errorMessage).toContain("model: claude-nope");
    expect(message.diagnostics?.[0]?.details).toMatchObject({ class: "not-found", status: 404 });
  });

  it("is an HTML page, of which the title is left", async () => {
    const { message } = await play([
      {
        status: 502,
        contentType: "text/html",
        body: "<html><head><title>Bad gateway</title></head><body>nginx</body></html>",
      },
    ]);
    expect(message.errorMessage).toBe("502: an HTML page: Bad gateway");
  });

  it("is tried again before the answer begins, as long as the vendor asks to wait", async () => {
    const retries: number[] = [];
    const { message } = await play(
      [
        {
          status: 529,
          headers: { "retry-after-ms": "1" },
          contentType: "application/json",
          body: "{}",
        },
        { body: sse(whole("end_turn", ...textBlock(0, "Hi")), true) },
      ],
      { maxRetries: 1, onRetry: ({ delayMs }) => retries.push(delayMs) },
    );
    expect(message.stopReason).toBe("stop");
    expect(retries).toEqual([1]);
  });

  it("is silence, in the head and in the body", async () => {
    const { message } = await play([{ body: sse([messageStart()], true), thenSilence: true }], {
      timeoutMs: 40,
    });
    expect(message.stopReason).toBe("error");
    expect(message.diagnostics?.[0]?.details?.class).toBe("timeout");
  });

  it("is the person's stop, which closes the connection", async () => {
    const stop = new AbortController();
    vendor = await startVendor({
      body: sse([messageStart(), blockStart(0, { type: "text", text: "Hel" })], true),
      thenSilence: true,
    });
    const events = streamSimple(
      testModel({ api: "anthropic-messages", id: "claude-test", baseUrl: vendor.origin }),
      transcript(),
      { apiKey: "key-1", signal: stop.signal },
    );
    for await (const event of events) if (event.type === "text_delta") stop.abort();
    const message = await events.result();
    await vendor.closed;
    expect(message).toMatchObject({
      stopReason: "aborted",
      content: [{ type: "text", text: "Hel" }],
      usage: { input: 20 },
    });
  });
});

describe("what watches a request", () => {
  it("sees the body, each attempt, the answer's head and every vendor event", async () => {
    const seen: unknown[] = [];
    const { message } = await play(
      [{ body: sse(whole("end_turn", ...textBlock(0, "Hi")), true) }],
      {
        onPayload: (payload) => {
          seen.push((payload as { model: string }).model);
          return { ...(payload as object), top_k: 5 };
        },
        onRequest: ({ method, url, headers, attempt }) =>
          void seen.push([method, new URL(url).pathname, headers["x-api-key"], attempt]),
        onResponse: ({ status, headers }) => void seen.push([status, headers["content-type"]]),
        onProviderStreamEvent: (event) => void seen.push((event as Event).type),
      },
    );
    expect(message.stopReason).toBe("stop");
    expect(vendor?.requests[0]?.body.top_k).toBe(5);
    expect(seen).toEqual([
      "claude-test",
      ["POST", "/v1/messages", "[redacted]", 1],
      [200, "text/event-stream; charset=utf-8"],
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });
});

describe("a request that goes out", () => {
  const answers = [{ body: sse(whole("end_turn"), true) }];
  const headersOf = async (
    options: SimpleStreamOptions,
    model: Partial<Model> = {},
  ): Promise<Record<string, unknown>> => {
    await play(answers, options, model);
    return vendor?.requests[0]?.headers ?? {};
  };

  it("tells nothing of the machine that it comes from", async () => {
    const headers = await headersOf({});
    expect(headers).toMatchObject({ "x-api-key": "key-1", "anthropic-version": "2023-06-01" });
    expect(Object.keys(headers).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
  });

  it("goes without a key where the host is local", async () => {
    const headers = await headersOf({ apiKey: "" });
    expect(headers["x-api-key"]).toBeUndefined();
    expect(headers.authorization).toBeUndefined();
  });

  it("lets the request's headers have the last word, and null remove one", async () => {
    const headers = await headersOf(
      { headers: { "X-API-Key": null, authorization: "Bearer mine", "anthropic-version": "v9" } },
      { headers: { "x-extra": "model", "anthropic-version": "v8" } },
    );
    expect(headers).toMatchObject({
      authorization: "Bearer mine",
      "anthropic-version": "v9",
      "x-extra": "model",
    });
    expect(headers["x-api-key"]).toBeUndefined();
  });

  it("asks for the features that its body uses, unless the caller says which", async () => {
    const context = [
      { name: "a", description: "d", parameters: { type: "object", properties: {} } },
    ];
    const betas = async (
      options: SimpleStreamOptions,
      compat: Model["compat"] = {},
      tools: Tool[] = context,
    ): Promise<unknown> => {
      await vendor?.stop();
      await play(answers, options, { compat }, tools);
      return vendor?.requests[0]?.headers["anthropic-beta"];
    };
    expect(await betas({})).toBeUndefined();
    expect(await betas({}, { supportsEagerToolInputStreaming: false })).toBe(
      "fine-grained-tool-streaming-2025-05-14",
    );
    expect(await betas({ reasoning: "low" })).toBe("interleaved-thinking-2025-05-14");
    expect(await betas({ reasoning: "low" }, {}, [])).toBeUndefined();
    expect(await betas({ reasoning: "low", headers: { "Anthropic-Beta": "mine" } })).toBe("mine");
    expect(await betas({ reasoning: "low", headers: { "anthropic-beta": null } })).toBeUndefined();
  });

  it("signs as its key and its host want it", async () => {
    const signedFor = async (apiKey: string, baseUrl: string): Promise<unknown[]> => {
      let headers = new Headers();
      await streamSimple(testModel({ api: "anthropic-messages", id: "c", baseUrl }), transcript(), {
        apiKey,
        fetch: async (_address, init) => {
          headers = new Headers(init?.headers);
          return new Response(sse(whole("end_turn"), true));
        },
      }).result();
      return [headers.get("x-api-key"), headers.get("authorization")];
    };
    expect(await signedFor("key-1", "https://api.anthropic.com")).toEqual(["key-1", null]);
    expect(await signedFor("sk-ant-oat01-x", "https://api.anthropic.com")).toEqual([
      null,
      "Bearer sk-ant-oat01-x",
    ]);
    expect(await signedFor("key-1", "https://host.example")).toEqual(["key-1", "Bearer key-1"]);
  });

  it("carries the session where the host wants it", async () => {
    const compat = { sendSessionAffinityHeaders: true };
    const sent = await headersOf({ sessionId: "s1" }, { compat });
    expect(sent["x-session-affinity"]).toBe("s1");
    await vendor?.stop();
    const unsent = await headersOf({ sessionId: "s1", cacheRetention: "none" }, { compat });
    expect(unsent["x-session-affinity"]).toBeUndefined();
  });

  it("needs a key elsewhere: streamSimple throws, stream tells", async () => {
    const model = testModel({
      api: "anthropic-messages",
      id: "c",
      baseUrl: "https://host.example",
    });
    expect(() => streamSimple(model, transcript(), {})).toThrow("no API key for vendor");
    const { events, message } = await readAll(stream(model, transcript(), {}));
    expect(events.map(({ type }) => type)).toEqual(["error"]);
    expect(message.diagnostics?.[0]?.details?.class).toBe("auth");
  });

  const tool: Tool = {
    name: "a",
    description: "d",
    parameters: { type: "object", properties: { x: { type: "string" } } },
    constrainedSampling: { type: "json_schema", strict: "prefer" },
  };

  it("X36: what one request learnt of strict tools, the next one does not know", async () => {
    const tooMany = {
      status: 400,
      contentType: "application/json",
      body: JSON.stringify({ error: { message: "Too many strict tools (21)." } }),
    };
    const options = { sessionId: "s1" };
    for (const _request of [1, 2]) {
      await vendor?.stop();
      await play([tooMany, ...answers], options, { compat: { supportsStrictTools: true } }, [tool]);
      const sent = vendor?.requests.map(({ body }) => (body.tools as Event[])[0]?.strict);
      expect(sent).toEqual([true, undefined]);
    }
  });

  it("is sent once more with ordinary tools where strict ones are too many", async () => {
    const { message } = await play(
      [
        {
          status: 400,
          contentType: "application/json",
          body: JSON.stringify({ error: { message: "Too many strict tools (21)." } }),
        },
        ...answers,
      ],
      {},
      { compat: { supportsStrictTools: true } },
      [tool],
    );
    const sent = vendor?.requests.map(({ body }) => (body.tools as Event[])[0]);
    expect(sent).toMatchObject([
      { strict: true, input_schema: { required: ["x"], additionalProperties: false } },
      { input_schema: { type: "object", properties: { x: { type: "string" } } } },
    ]);
    expect(sent?.[1]).not.toHaveProperty("strict");
    expect(message.stopReason).toBe("stop");
    expect(message.diagnostics).toMatchObject([{ type: "strict-tools-fallback" }]);
  });
});
