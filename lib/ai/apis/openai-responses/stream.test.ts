import { afterEach, describe, expect, it } from "vitest";
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
  reasoningItem,
} from "../../testing/responses-events.ts";
import { hello, readAll, type StreamRun, testModel, transcript } from "../../testing/run-stream.ts";
import {
  sse,
  startVendor,
  type VendorAnswer,
  type VendorServer,
} from "../../testing/vendor-server.ts";
import type { Model, SimpleStreamOptions, Tool } from "../../types.ts";
import { stream, streamSimple } from "./index.ts";

let vendor: VendorServer | undefined;
afterEach(async () => {
  await vendor?.stop();
  vendor = undefined;
});

async function play(
  answer: VendorAnswer,
  options: SimpleStreamOptions = {},
  model: Partial<Model> = {},
  tools?: Tool[],
): Promise<StreamRun> {
  vendor = await startVendor(answer);
  const run = await readAll(
    streamSimple(
      testModel({
        api: "openai-responses",
        id: "gpt-test",
        provider: "openai",
        baseUrl: `${vendor.origin}/v1`,
        ...model,
      }),
      transcript({ ...hello, tools }),
      { apiKey: "key-1", maxRetries: 0, ...options },
    ),
  );
  await vendor.stop();
  vendor = undefined;
  return run;
}

const playEvents = (events: ResponseEvent[], options?: SimpleStreamOptions): Promise<StreamRun> =>
  play({ body: sse(events, true) }, options);

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

describe("calls with free text", () => {
  const grammarTool: Tool = {
    name: "write_sql",
    description: "Writes SQL.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    constrainedSampling: { type: "grammar", variants: { openai_regex: "SELECT .+" } },
  };

  it("become the JSON of the tool's one parameter, as it streams too", async () => {
    const input = 'SELECT "a\\b"\n👍';
    const item = { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "write_sql" };
    const { events, message } = await play(
      {
        body: sse([
          created,
          added(0, { ...item, input: "" }),
          delta("custom_tool_call_input", 0, 'SELECT "a'),
          delta("custom_tool_call_input", 0, '\\b"\n👍'),
          itemDone(0, { ...item, input }),
          completed(),
        ]),
      },
      {},
      { compat: { supportsOpenAIGrammarTools: true } },
      [grammarTool],
    );
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toEqual([
      { type: "toolCall", id: "call_1|ctc_1", name: "write_sql", arguments: { query: input } },
    ]);
    const text = events
      .map((event) => (event.type === "toolcall_delta" ? event.delta : ""))
      .join("");
    expect(JSON.parse(text)).toEqual({ query: input });
    expect(message.stopReason).toBe("toolUse");
  });
});

describe("tools held to their schema", () => {
  it("lose the nulls that stand for optional properties", async () => {
    const tool: Tool = {
      name: "add",
      description: "Adds.",
      parameters: {
        type: "object",
        properties: { a: { type: "number" }, note: { type: "string" } },
        required: ["a"],
      },
      constrainedSampling: { type: "json_schema", strict: "prefer" },
    };
    const { message } = await play(
      { body: sse([itemDone(0, callItem({ arguments: '{"a":1,"note":null}' })), completed()]) },
      {},
      { compat: { supportsStrictMode: true } },
      [tool],
    );
    expect(message.content).toMatchObject([{ arguments: { a: 1 } }]);
    expect(message.content[0]).not.toHaveProperty("arguments.note");
  });
});

describe("what the vendor did by itself", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed" };
  const cited = messageItem("🍵 Tea (tea.example).", {
    content: [
      {
        type: "output_text",
        text: "🍵 Tea (tea.example).",
        annotations: [
          {
            type: "url_citation",
            url: "https://tea.example",
            title: "Tea",
            start_index: 6,
            end_index: 19,
          },
          { type: "url_citation", url: "https://x.example" },
          { type: "file_citation", file_id: "file-1", filename: "a.pdf", index: 5 },
        ],
      },
    ],
  });

  it("P-401: stays out of the content and is kept whole", async () => {
    const { message } = await playEvents([
      created,
      added(0, { ...search, status: "in_progress" }),
      { type: "response.web_search_call.searching", output_index: 0 },
      itemDone(0, search),
      itemDone(1, cited),
      completed(),
    ]);
    expect(message.content.map(({ type }) => type)).toEqual(["text"]);
    expect(message.native).toEqual({ api: "openai-responses", items: [search, cited] });
    expect(message.stopReason).toBe("stop");
  });

  it("P-402: citations are sources, their places counted in UTF-16 units", async () => {
    const { message } = await playEvents([created, itemDone(0, cited), completed()]);
    const [block] = message.content;
    expect(block?.type === "text" && block.sources).toEqual([
      { url: "https://tea.example", title: "Tea", start: 7, end: 20 },
      { url: "https://x.example" },
      { url: "urn:openai:file:file-1", title: "a.pdf", start: 6, end: 6 },
    ]);
    expect("🍵 Tea (tea.example).".slice(7, 20)).toBe("(tea.example)");
    expect(message.native?.items).toHaveLength(1);
  });

  it("P-402: citations that came only as events are sources too", async () => {
    const { message } = await playEvents([
      created,
      ...messageEvents(0, ["Tea"]).slice(0, -1),
      {
        type: "response.output_text.annotation.added",
        output_index: 0,
        annotation: { type: "url_citation", url: "https://tea.example" },
      },
      completed(),
    ]);
    expect(message.content).toMatchObject([{ sources: [{ url: "https://tea.example" }] }]);
  });

  it("P-402: generated images are the message's", async () => {
    const { message } = await playEvents([
      created,
      itemDone(0, { type: "image_generation_call", id: "ig_1", result: "/9j/AAAA" }),
      itemDone(1, {
        type: "code_interpreter_call",
        id: "ci_1",
        outputs: [
          { type: "logs", logs: "1" },
          { type: "image", url: "data:image/webp;base64,UklGRg==" },
        ],
      }),
      completed(),
    ]);
    expect(message.images).toEqual([
      { type: "image", data: "/9j/AAAA", mimeType: "image/jpeg" },
      { type: "image", data: "UklGRg==", mimeType: "image/webp" },
    ]);
    expect(message.content).toEqual([]);
  });
});

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
    vendor = await startVendor({
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
