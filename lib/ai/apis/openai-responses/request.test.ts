import { afterEach, describe, expect, it } from "vitest";
import { completed } from "../../testing/responses-events.ts";
import { answer, readAll, testModel, transcript } from "../../testing/run-stream.ts";
import {
  type ReceivedRequest,
  sse,
  startVendor,
  type VendorServer,
} from "../../testing/vendor-server.ts";
import type {
  AssistantMessage,
  Context,
  Message,
  Model,
  SimpleStreamOptions,
  Tool,
  ToolCall,
  ToolResultMessage,
} from "../../types.ts";
import { streamSimple } from "./index.ts";

let vendor: VendorServer | undefined;
afterEach(async () => {
  await vendor?.stop();
  vendor = undefined;
});

const ask: Message = { role: "user", content: "go on", timestamp: 9 };

/** What the vendor receives. */
async function send(
  context: Context,
  options: SimpleStreamOptions = {},
  model: Partial<Model> = {},
): Promise<ReceivedRequest> {
  vendor = await startVendor({ body: sse([completed()]) });
  const { message } = await readAll(
    streamSimple(
      testModel({
        api: "openai-responses",
        id: "gpt-test",
        provider: "openai",
        baseUrl: `${vendor.origin}/v1`,
        ...model,
      }),
      transcript(context),
      { apiKey: "key-1", maxRetries: 0, ...options },
    ),
  );
  const [request] = vendor.requests;
  await vendor.stop();
  vendor = undefined;
  if (!request) throw new Error(message.errorMessage);
  return request;
}

async function bodyOf(
  context: Context,
  options?: SimpleStreamOptions,
  model?: Partial<Model>,
): Promise<Record<string, unknown>> {
  return (await send(context, options, model)).body;
}

async function inputOf(messages: Message[], model?: Partial<Model>): Promise<unknown[]> {
  return (await bodyOf({ messages }, {}, model)).input as unknown[];
}

const own = (
  fields: Partial<AssistantMessage> & Pick<AssistantMessage, "content">,
): AssistantMessage =>
  answer({ api: "openai-responses", provider: "openai", model: "gpt-test", ...fields });

const call = (fields: Partial<ToolCall> = {}): ToolCall => ({
  type: "toolCall",
  id: "call_1|fc_1",
  name: "add",
  arguments: { a: 1 },
  ...fields,
});

const result = (fields: Partial<ToolResultMessage> = {}): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: "call_1|fc_1",
  toolName: "add",
  content: [{ type: "text", text: "3" }],
  isError: false,
  timestamp: 3,
  ...fields,
});

const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ENC" };
const thinking = (item: unknown = reasoning): AssistantMessage["content"][number] => ({
  type: "thinking",
  thinking: "Hm.",
  thinkingSignature: typeof item === "string" ? item : JSON.stringify(item),
});
const text = (words: string, textSignature?: string): AssistantMessage["content"][number] => ({
  type: "text",
  text: words,
  ...(textSignature && { textSignature }),
});
const signature = '{"v":1,"id":"msg_1","phase":"final_answer"}';
const userAsk = { role: "user", content: [{ type: "input_text", text: "go on" }] };

const addTool: Tool = {
  name: "add",
  description: "Adds.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a"],
  },
};

describe("the request", () => {
  it("A-002: holds what is set and no key more", async () => {
    expect(await bodyOf({ messages: [ask] }, {}, { maxTokens: 0, reasoning: false })).toEqual({
      model: "gpt-test",
      input: [userAsk],
      stream: true,
      store: false,
    });
  });

  it("carries prompt, tools and options where the vendor takes them", async () => {
    const body = await bodyOf(
      { systemPrompt: "Be kind.", messages: [ask], tools: [addTool] },
      { reasoning: "high", toolChoice: "none", maxTokens: 500, sessionId: "s".repeat(70) },
      { compat: { supportsStrictMode: true } },
    );
    expect(body).toEqual({
      model: "gpt-test",
      input: [{ role: "developer", content: "Be kind." }, userAsk],
      tools: [
        {
          type: "function",
          name: "add",
          description: "Adds.",
          parameters: addTool.parameters,
          strict: false,
        },
      ],
      tool_choice: "none",
      max_output_tokens: 500,
      reasoning: { effort: "high", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "s".repeat(64),
      stream: true,
      store: false,
    });
  });

  it("goes to the model's address, signed, and tells nothing of the machine", async () => {
    const { url, headers } = await send(
      { messages: [ask] },
      { sessionId: "s1", headers: { "X-Extra": "1", "User-Agent": "rill" } },
      { headers: { "x-extra": "0", "x-model": "m" } },
    );
    expect(url).toBe("/v1/responses");
    expect(headers).toMatchObject({
      authorization: "Bearer key-1",
      "x-extra": "1",
      "x-model": "m",
      "user-agent": "rill",
      "session-id": "s1",
      "x-client-request-id": "s1",
    });
    expect(Object.keys(headers).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
  });

  it("P-134: null removes a header, also the key's", async () => {
    const { headers } = await send(
      { messages: [ask] },
      { sessionId: "s1", headers: { authorization: null, "session-id": null } },
    );
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("session-id");
  });

  it("P-271: a header of the caller's stands in for a key", async () => {
    const { headers } = await send(
      { messages: [ask] },
      { apiKey: "", headers: { authorization: "Bearer other" } },
    );
    expect(headers.authorization).toBe("Bearer other");
  });

  it("B075: a tool is held to its schema only in a form that the vendor takes", async () => {
    const strict = {
      ...addTool,
      constrainedSampling: { type: "json_schema", strict: "prefer" },
    } as Tool;
    const loose: Tool = {
      ...strict,
      name: "loose",
      parameters: { type: "object", properties: { a: {} }, required: [] },
    };
    const body = await bodyOf(
      { messages: [ask], tools: [strict, loose] },
      {},
      { compat: { supportsStrictMode: true } },
    );
    expect(body.tools).toMatchObject([
      {
        name: "add",
        strict: true,
        parameters: {
          required: ["a", "b"],
          additionalProperties: false,
          properties: { b: { type: ["number", "null"] } },
        },
      },
      { name: "loose", strict: false },
    ]);
    const bare = await bodyOf({ messages: [ask], tools: [strict] });
    expect(bare.tools).toMatchObject([{ parameters: strict.parameters }]);
    expect(JSON.stringify(bare.tools)).not.toContain("strict");
  });

  it("P-022: a grammar tool is a custom one where the host knows them, a function elsewhere", async () => {
    const tool: Tool = {
      name: "sql",
      description: "Writes SQL.",
      parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
      constrainedSampling: {
        type: "grammar",
        variants: { openai_lark: "start: X", openai_regex: "x" },
      },
    };
    const compat = { supportsOpenAIGrammarTools: true };
    const { tools } = await bodyOf({ messages: [ask], tools: [tool] }, {}, { compat });
    expect(tools).toEqual([
      {
        type: "custom",
        name: "sql",
        description: "Writes SQL.",
        format: { type: "grammar", syntax: "lark", definition: "start: X" },
      },
    ]);
    const plain = await bodyOf({ messages: [ask], tools: [tool] });
    expect(plain.tools).toMatchObject([{ type: "function", name: "sql" }]);
  });

  it("W-16: a tool choice goes only with tools", async () => {
    expect(await bodyOf({ messages: [ask] }, { toolChoice: "none" })).not.toHaveProperty(
      "tool_choice",
    );
  });

  it("P-414: temperature goes only to those who take it", async () => {
    const warm = { temperature: 0 };
    expect(await bodyOf({ messages: [ask] }, warm)).not.toHaveProperty("temperature");
    expect(await bodyOf({ messages: [ask] }, warm, { reasoning: false })).toHaveProperty(
      "temperature",
      0,
    );
    expect(await bodyOf({ messages: [ask] }, warm, { provider: "xai" })).toHaveProperty(
      "temperature",
      0,
    );
  });

  it("P-142: the answer's limit is the model's, fitted to the window, and no less than the vendor takes", async () => {
    expect(await bodyOf({ messages: [ask] })).toHaveProperty("max_output_tokens", 64_000);
    expect(await bodyOf({ messages: [ask] }, { maxTokens: 3 })).toHaveProperty(
      "max_output_tokens",
      16,
    );
    const tight = await bodyOf({ messages: [ask] }, {}, { contextWindow: 10_000 });
    expect(tight.max_output_tokens).toBeLessThan(10_000 - 4096);
    const none = await bodyOf(
      { messages: [ask] },
      {},
      { compat: { supportsMaxOutputTokens: false } },
    );
    expect(none).not.toHaveProperty("max_output_tokens");
  });

  it.each([
    ["off by default", {}, undefined, { effort: "none" }],
    ["off by its own word", { off: "minimal" }, undefined, { effort: "minimal" }],
    ["never off", { off: null }, undefined, undefined],
    ["by level", {}, "low", { effort: "low", summary: "auto" }],
    ["by the model's word", { low: "tiny" }, "low", { effort: "tiny", summary: "auto" }],
    ["clamped", { minimal: null }, "minimal", { effort: "low", summary: "auto" }],
    ["clamped downwards", {}, "max", { effort: "high", summary: "auto" }],
  ] as const)("thinks: %s", async (_name, thinkingLevelMap, level, expected) => {
    const body = await bodyOf({ messages: [ask] }, { reasoning: level }, { thinkingLevelMap });
    expect(body.reasoning).toEqual(expected);
    expect(body.include).toEqual(["reasoning.encrypted_content"]);
  });

  it("asks a model that does not reason for no reasoning", async () => {
    const body = await bodyOf({ messages: [ask] }, { reasoning: "high" }, { reasoning: false });
    expect(body).not.toHaveProperty("reasoning");
    expect(body).not.toHaveProperty("include");
  });

  it.each([
    ["none", {}, {}],
    ["short", {}, { prompt_cache_key: "s1" }],
    ["long", {}, { prompt_cache_key: "s1", prompt_cache_retention: "24h" }],
    ["long", { supportsLongCacheRetention: false }, { prompt_cache_key: "s1" }],
    ["long", { promptCacheKeyMode: "disabled" }, { prompt_cache_retention: "24h" }],
    [
      "long",
      { supportsExplicitPromptCacheMode: true },
      { prompt_cache_key: "s1", prompt_cache_options: { ttl: "30m" } },
    ],
    [
      "none",
      { supportsExplicitPromptCacheMode: true },
      { prompt_cache_options: { mode: "explicit" } },
    ],
  ] as const)("P-144: keeps the prompt %s %j", async (cacheRetention, compat, expected) => {
    const body = await bodyOf({ messages: [ask] }, { cacheRetention, sessionId: "s1" }, { compat });
    const cache = Object.entries(body).filter(([name]) => name.startsWith("prompt_cache"));
    expect(Object.fromEntries(cache)).toEqual(expected);
  });

  it.each([
    ["none", "openai", {}],
    ["short", "openai-nosession", { "x-client-request-id": "s1" }],
    ["short", "openrouter", { "x-session-id": "s1" }],
  ] as const)("P-145: session headers, kept %s, %s", async (cacheRetention, format, expected) => {
    const { headers } = await send(
      { messages: [ask] },
      { cacheRetention, sessionId: "s1" },
      { compat: { sessionAffinityFormat: format } },
    );
    const names = ["session-id", "x-client-request-id", "x-session-id"];
    const sent = Object.entries(headers).filter(([name]) => names.includes(name));
    expect(Object.fromEntries(sent)).toEqual(expected);
  });

  it("A-003: sampling parameters come last", async () => {
    const body = await bodyOf(
      { messages: [ask] },
      { samplingParams: { top_p: 0.5, store: true } },
      { samplingParams: { top_p: 0.1, user: "u" } },
    );
    expect(body).toMatchObject({ top_p: 0.5, user: "u", store: true });
  });
});

describe("messages of the request", () => {
  it("W-29: leave out what is blank", async () => {
    const input = await inputOf([
      { role: "user", content: " \n", timestamp: 1 },
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "a" },
        ],
        timestamp: 1,
      },
      own({ content: [text("\n\n"), text("b", signature)] }),
      ask,
    ]);
    expect(input).toEqual([
      { role: "user", content: [{ type: "input_text", text: "a" }] },
      expect.objectContaining({ id: "msg_1" }),
      userAsk,
    ]);
    const { input: withoutPrompt } = await bodyOf({ systemPrompt: "  \n", messages: [ask] });
    expect(withoutPrompt).toEqual([userAsk]);
  });

  it("carry images of the user and of tools", async () => {
    const image = { type: "image", data: "QUJD", mimeType: "image/png" } as const;
    const part = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,QUJD" };
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: "see" }, image], timestamp: 1 },
      own({ content: [call()] }),
      result({ content: [image] }),
    ];
    expect(await inputOf(messages)).toEqual([
      { role: "user", content: [{ type: "input_text", text: "see" }, part] },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "call_1", output: [part] },
    ]);
    const blind = JSON.stringify(await inputOf(messages, { input: ["text"] }));
    expect(blind).not.toContain("QUJD");
    expect(blind).toContain("cannot see images");
  });

  it("say so when a tool gave nothing", async () => {
    const input = await inputOf([own({ content: [call()] }), result({ content: [] })]);
    expect(input.at(-1)).toMatchObject({ output: "(The tool gave no output.)" });
  });

  it("system messages are developer or system by the model and the host", async () => {
    const context: Context = { systemPrompt: "P", messages: [ask] };
    const role = async (model: Partial<Model>): Promise<unknown> =>
      ((await bodyOf(context, {}, model)).input as { role: string }[])[0]?.role;
    expect(await role({})).toBe("developer");
    expect(await role({ reasoning: false })).toBe("system");
    expect(await role({ provider: "deepseek" })).toBe("system");
    expect(await role({ compat: { supportsDeveloperRole: false } })).toBe("system");
  });

  it("P-046, P-048: later system messages stand in place where the host knows them", async () => {
    const messages: Message[] = [
      ask,
      { role: "system", content: "Now rhyme.", sections: { mood: "calm" }, timestamp: 10 },
      { ...ask, content: "more" },
    ];
    const inPlace = await bodyOf(
      { systemPrompt: "P", messages },
      {},
      { compat: { supportsMidConvoSystemMessages: true } },
    );
    expect(inPlace.input).toMatchObject([
      { content: "P" },
      userAsk,
      { role: "developer", content: expect.stringMatching(/^Now rhyme\.[\s\S]*mood[\s\S]*calm$/) },
      { role: "user" },
    ]);
    const collapsed = await bodyOf({ systemPrompt: "P", messages });
    expect(collapsed.input).toMatchObject([
      { content: "P\n\nNow rhyme.\n\ncalm" },
      userAsk,
      { role: "user" },
    ]);
  });

  it("P-053: tools that come later are declared in place where the host knows it", async () => {
    const later: Tool = { ...addTool, name: "later" };
    const context: Context = {
      tools: [addTool],
      messages: [
        ask,
        {
          role: "system",
          content: "",
          toolsAdded: [later],
          toolsRemoved: [{ name: "add" }],
          timestamp: 10,
        },
      ],
    };
    const compat = { supportsMidConvoSystemMessages: true, supportsAdditionalTools: true };
    const body = await bodyOf(context, { toolChoice: "auto" }, { compat });
    expect(body).not.toHaveProperty("tools");
    expect(body.tool_choice).toBe("auto");
    expect(body.input).toMatchObject([
      { type: "additional_tools", role: "developer", tools: [{ name: "add" }] },
      userAsk,
      { role: "developer", content: "[These tools are no longer available: add]" },
      { type: "additional_tools", tools: [{ name: "later" }] },
    ]);
    const folded = await bodyOf(context);
    expect(folded.tools).toMatchObject([{ name: "later" }]);
    expect(folded.input).toEqual([userAsk]);
  });

  it("P-408: names that the vendor refuses are mapped, in tools and calls alike", async () => {
    const name = "say hello!";
    const { tools, input } = await bodyOf({
      tools: [{ ...addTool, name }],
      messages: [own({ content: [call({ name })] }), result({ toolName: name })],
    });
    const [tool] = tools as { name: string }[];
    expect(tool?.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect((input as { name?: string }[])[0]?.name).toBe(tool?.name);
  });
});

describe("replay to the same model", () => {
  it("P-020: sends reasoning, ids and phases back as they came", async () => {
    const input = await inputOf([
      own({ content: [thinking(), text("Hi", signature), call({ namespace: "maths" })] }),
      result(),
    ]);
    expect(input).toEqual([
      reasoning,
      {
        type: "message",
        role: "assistant",
        status: "completed",
        id: "msg_1",
        phase: "final_answer",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      },
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "add",
        namespace: "maths",
        arguments: '{"a":1}',
      },
      { type: "function_call_output", call_id: "call_1", output: "3" },
    ]);
  });

  it.each([
    ["nothing follows", [text("Hi", signature), thinking()]],
    ["what followed was blank", [text("Hi", signature), thinking(), text(" ", signature)]],
    ["what followed was changed", [thinking(), text("Hi, edited")]],
    [
      "it is not encrypted",
      [thinking({ type: "reasoning", id: "rs_1", summary: [] }), text("Hi", signature)],
    ],
    ["W-30: its signature is not JSON", [thinking("opaque"), text("Hi", signature)]],
    ["its signature is of another kind", [thinking({ type: "message" }), text("Hi", signature)]],
  ])("reasoning stays away when %s", async (_name, content) => {
    const input = (await inputOf([own({ content })])) as { type?: string }[];
    expect(input.map(({ type }) => type)).toEqual(["message"]);
  });

  it("an item whose reasoning stays away goes without the id that ties it to it", async () => {
    const bare = { type: "reasoning", id: "rs_1", summary: [] };
    const input = await inputOf([
      own({ content: [thinking(bare), text("Hi", signature), call()] }),
      result(),
    ]);
    expect(input).toMatchObject([{ type: "message", id: "msg_0" }, { type: "function_call" }, {}]);
    expect(input[1]).not.toHaveProperty("id");
  });

  it("a host that does not encrypt gets its reasoning as it is", async () => {
    const open = {
      type: "reasoning",
      id: "rs_1",
      content: [{ type: "reasoning_text", text: "Hm." }],
    };
    const model = { provider: "deepseek" };
    const message = own({ ...model, content: [thinking(open), text("Hi", signature)] });
    expect((await inputOf([message], model))[0]).toEqual(open);
  });

  it("ids that the vendor would refuse are not sent", async () => {
    const long = `msg_${"x".repeat(70)}`;
    const input = await inputOf([
      own({
        content: [text("Hi", JSON.stringify({ v: 1, id: long })), call({ id: "call_1|item-1" })],
      }),
    ]);
    expect(input[0]).toMatchObject({ id: expect.stringMatching(/^msg_[a-z0-9]{8}$/) });
    expect(input[1]).not.toHaveProperty("id");
  });

  it("calls of different turns that share a call id are told apart", async () => {
    const input = (await inputOf([
      own({ content: [call({ id: "call_0|fc_a" })] }),
      result({ toolCallId: "call_0|fc_a" }),
      own({ content: [call({ id: "call_0|fc_b" })] }),
      result({ toolCallId: "call_0|fc_b", content: [{ type: "text", text: "4" }] }),
    ])) as { call_id: string; output?: string }[];
    expect(input.map(({ call_id, output }) => [call_id, output])).toEqual([
      ["call_0", undefined],
      ["call_0", "3"],
      ["call_0_2", undefined],
      ["call_0_2", "4"],
    ]);
  });

  it("a call with free text goes back as one, its result too", async () => {
    const input = await inputOf([
      own({ content: [call({ id: "call_1|ctc_1", arguments: { input: "SELECT 1" } })] }),
      result({ toolCallId: "call_1|ctc_1" }),
    ]);
    expect(input).toEqual([
      { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "add", input: "SELECT 1" },
      { type: "custom_tool_call_output", call_id: "call_1", output: "3" },
    ]);
  });
});

describe("P-401: the vendor's own items", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed" };
  const found = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "Tea." }] };
  const native = (...items: unknown[]): AssistantMessage["native"] => ({
    api: "openai-responses",
    items,
  });

  it("go back whole to the same model", async () => {
    const items = [reasoning, search, found];
    const message = own({
      content: [thinking(), text("Tea.", signature)],
      native: native(...items),
    });
    expect(await inputOf([message])).toEqual(items);
    const other = await inputOf([message], { id: "gpt-other" });
    expect(other).toMatchObject([{ type: "message", id: "msg_0" }]);
  });

  it("with the calls among them answered", async () => {
    const item = {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "add",
      arguments: "{}",
    };
    const message = own({ content: [call()], native: native(search, item) });
    expect(await inputOf([message, result()])).toEqual([
      search,
      item,
      { type: "function_call_output", call_id: "call_1", output: "3" },
    ]);
  });

  it.each([
    ["the text was changed", own({ content: [text("Coffee.")], native: native(search, found) })],
    ["a call was added", own({ content: [text("Tea."), call()], native: native(search, found) })],
    [
      "reasoning among them is not encrypted",
      own({
        content: [text("Tea.", signature)],
        native: native({ type: "reasoning", id: "rs_1" }, search, found),
      }),
    ],
    [
      "they are another api's",
      own({ content: [text("Tea.")], native: { api: "x", items: [found] } }),
    ],
  ])("stay away when %s", async (_name, message) => {
    expect(JSON.stringify(await inputOf([message]))).not.toContain("ws_1");
  });

  it("without calls that nobody answered, and without the reasoning that led to them", async () => {
    const open = { type: "tool_search_call", id: "tsc_1", call_id: "c1", execution: "client" };
    const message = own({
      content: [text("Tea.", signature)],
      native: native(found, reasoning, open),
    });
    expect(await inputOf([message])).toEqual([found]);
  });
});

describe("answers of other models", () => {
  it("A-013, A-015: lose thinking and signatures", async () => {
    const input = await inputOf([
      own({
        model: "gpt-other",
        content: [thinking(), text("Hi", signature), call({ namespace: "n" })],
      }),
      result(),
    ]);
    expect(input).toEqual([
      {
        type: "message",
        role: "assistant",
        status: "completed",
        id: "msg_0",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      },
      { type: "function_call", call_id: "call_1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "call_1", output: "3" },
    ]);
  });

  it("A-016: their call ids take a form that the vendor accepts, each its own", async () => {
    const input = (await inputOf([
      answer({
        content: [call({ id: "a.1" }), call({ id: "a:1" }), call({ id: `${"x".repeat(70)}` })],
      }),
      result({ toolCallId: "a.1" }),
      result({ toolCallId: "a:1" }),
    ])) as { call_id: string }[];
    const ids = input.map(({ call_id }) => call_id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(ids[0]).toBe("a_1");
  });

  it("B061: lone surrogates are sent nowhere", async () => {
    const { body } = await send({
      systemPrompt: "sys \ud83d",
      tools: [{ ...addTool, description: "d\udc00" }],
      messages: [
        { role: "user", content: "cut \ud83d whole 😀", timestamp: 1 },
        own({
          content: [
            thinking({ ...reasoning, encrypted_content: "E\ud83d" }),
            call({ arguments: { "k\udc00": "\ude00v" } }),
          ],
        }),
        result({ content: [{ type: "text", text: "r\ud83d" }] }),
      ],
    });
    const sent = JSON.stringify(body);
    expect(sent).not.toMatch(/\\ud[89a-f]/i);
    expect(sent).toContain("😀");
  });
});
