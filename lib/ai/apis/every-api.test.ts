/** What holds for every wire API alike: one test each, played through the adapter and its SDK. */

import { afterEach, describe, expect, it } from "vitest";
import { checkEventOrder } from "../testing/event-order.ts";
import { type ApiUnderTest, everyApi } from "../testing/every-api.ts";
import { answer, hello, readAll, type StreamRun, transcript } from "../testing/run-stream.ts";
import { startVendor, type VendorAnswer, type VendorServer } from "../testing/vendor-server.ts";
import type {
  AssistantMessage,
  Context,
  Message,
  Model,
  SimpleStreamOptions,
  Tool,
  ToolResultMessage,
  Usage,
} from "../types.ts";

const addTool: Tool = {
  name: "add",
  description: "Adds.",
  parameters: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
};

let vendor: VendorServer | undefined;
afterEach(async () => {
  await vendor?.stop();
  vendor = undefined;
});

async function play(
  { implementation, model }: ApiUnderTest,
  answers: VendorAnswer[],
  options: SimpleStreamOptions = {},
  context: Context = { ...hello, tools: [addTool] },
  fields: Partial<Model> = {},
): Promise<StreamRun> {
  await vendor?.stop();
  vendor = await startVendor(...answers);
  return readAll(
    implementation.streamSimple(model(vendor.origin, fields), transcript(context), {
      apiKey: "key-1",
      maxRetries: 0,
      ...options,
    }),
  );
}

async function bodyOf(
  api: ApiUnderTest,
  context: Context,
  options: SimpleStreamOptions = {},
  fields: Partial<Model> = {},
): Promise<Record<string, unknown>> {
  const { message } = await play(api, [{ body: api.whole }], options, context, fields);
  const body = vendor?.requests[0]?.body;
  if (!body) throw new Error(message.errorMessage);
  return body;
}

const types = ({ events }: StreamRun): string[] => events.map(({ type }) => type);

describe.each(everyApi)("$api", (api) => {
  it("P-004, P-005, P-009: an answer is a list of blocks in order, and says whose it is", async () => {
    const run = await play(api, [{ body: api.whole }]);
    expect(checkEventOrder(run.events)).toEqual([]);
    expect(run.message).toMatchObject({
      role: "assistant",
      api: api.api,
      provider: api.model("").provider,
      model: api.model("").id,
      stopReason: "toolUse",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "Hi" },
        { type: "toolCall", name: "add", arguments: { a: 1 } },
      ],
    });
    expect(run.message.usage.totalTokens).toBeGreaterThan(0);
    expect(run.message.timestamp).toBeGreaterThan(0);
  });

  it("P-006: an answer notes both words for the level that it was asked to think at", async () => {
    const { message } = await play(api, [{ body: api.whole }], { reasoning: "low" }, hello, {
      thinkingLevelMap: { low: "512" },
      compat: { forceAdaptiveThinking: true },
    });
    expect(message).toMatchObject({ thinkingLevel: "low", providerThinkingLevel: "512" });
    expect(message.responseId).not.toBe("");
    expect(message.durationMs).toBeGreaterThanOrEqual(0);
    expect(message).not.toHaveProperty("errorMessage");
  });

  it("P-007: the answering model is named when it is another one, and only then", async () => {
    const named = await play(api, [{ body: api.whole }]);
    expect(named.message.responseModel).toBe(api.answeredBy);
    for (const same of [undefined, "", api.model("").id]) {
      const { message } = await play(api, [{ body: api.unnamed(same) }]);
      expect(message).not.toHaveProperty("responseModel");
      expect(message.stopReason).toBe("toolUse");
    }
  });

  it("P-020: signatures that went through JSON go back as they came, and to no other model", async () => {
    const { message } = await play(api, [{ body: api.whole }]);
    const stored = JSON.parse(JSON.stringify(message)) as AssistantMessage;
    const context: Context = {
      messages: [
        ...hello.messages,
        stored,
        {
          role: "toolResult",
          toolCallId: stored.content.find((block) => block.type === "toolCall")?.id ?? "",
          toolName: "add",
          content: [{ type: "text", text: "2" }],
          isError: false,
          timestamp: 3,
        },
      ],
      tools: [addTool],
    };
    const sent = JSON.stringify(await bodyOf(api, context));
    for (const signature of api.signatures) expect(sent).toContain(signature);
    const other = JSON.stringify(await bodyOf(api, context, {}, { id: "gemini-3-other" }));
    for (const signature of api.signatures) expect(other).not.toContain(signature);
    expect(other).toContain("Hi");
  });

  it("P-017, P-018, P-324: of a message only what a model is told leaves", async () => {
    const secret = (place: string): string => `not-for-models-${place}`;
    const usage: Usage = { ...answer({ content: [] }).usage, input: 987_654 };
    const result: ToolResultMessage & { structuredContent: unknown } = {
      role: "toolResult",
      toolCallId: "call_1",
      toolName: "add",
      content: [{ type: "text", text: "2" }],
      details: secret("details"),
      structuredContent: secret("structured"),
      nestedCalls: {
        calls: [{ id: "n", name: secret("nested"), status: "ok" }],
        complete: true,
      },
      usage,
      durationMs: 987_654,
      isError: false,
      timestamp: 987_654,
    };
    const asked = {
      ...answer({
        content: [
          { type: "text", text: "Hi", sources: [{ url: secret("source") }] },
          { type: "toolCall", id: "call_1", name: "add", arguments: { a: 1 } },
        ],
        errorMessage: secret("error"),
        diagnostics: [{ type: secret("diagnostic"), timestamp: 1 }],
        responseId: secret("response"),
        usage,
      }),
    };
    const sent = JSON.stringify(
      await bodyOf(api, { messages: [...hello.messages, asked, result], tools: [addTool] }),
    );
    expect(sent).toContain('"Hi"');
    expect(sent).not.toContain("not-for-models");
    expect(sent).not.toContain("987654");
  });

  it("P-104, P-201: without a key direct use throws before the request, through stream it is an event", async () => {
    const model = api.model("https://host.example");
    const adapter = await import(`./${api.api}/index.ts`);
    expect(() => adapter.streamSimple(model, transcript(), {})).toThrow(model.provider);
    const run = await readAll(adapter.stream(model, transcript(), {}));
    expect(types(run)).toEqual(["error"]);
    expect(run.message.errorMessage).toContain(model.provider);
  });

  it("P-130, P-260: an abort before the call is one event, and no request leaves", async () => {
    const run = await play(api, [{ body: api.whole }], { signal: AbortSignal.abort() });
    expect(run.events).toMatchObject([{ type: "error", reason: "aborted" }]);
    expect(vendor?.requests).toEqual([]);
  });

  it("P-096, P-130, P-262, X12: an abort in the middle keeps what came, in the same words everywhere", async () => {
    const stop = new AbortController();
    vendor = await startVendor({ body: api.half, thenSilence: true });
    const stream = api.implementation.streamSimple(api.model(vendor.origin), transcript(), {
      apiKey: "key-1",
      signal: stop.signal,
    });
    const seen: string[] = [];
    for await (const event of stream) {
      seen.push(event.type);
      if (event.type === "text_delta") stop.abort();
    }
    await vendor.closed;
    expect(await stream.result()).toMatchObject({
      stopReason: "aborted",
      errorMessage: "The request was aborted.",
      content: [{ type: "text", text: "Hi" }],
      diagnostics: [{ details: { class: "aborted" } }],
    });
    expect(seen).not.toContain("text_end");
  });

  it("P-132: every request goes through the caller's fetch", async () => {
    const addresses: string[] = [];
    const { message } = await readAll(
      api.implementation.streamSimple(api.model("https://host.example"), transcript(), {
        apiKey: "key-1",
        fetch: async (input) => {
          addresses.push(new URL(String(input)).hostname);
          return new Response(api.whole, { headers: { "content-type": "text/event-stream" } });
        },
      }),
    );
    expect(message.stopReason).toBe("toolUse");
    expect(addresses).toEqual(["host.example"]);
  });

  it("P-134, P-140: names no machine, and headers of the request have the last word", async () => {
    await play(api, [{ body: api.whole }]);
    const plain = vendor?.requests[0]?.headers ?? {};
    expect(String(plain[api.keyHeader])).toContain("key-1");
    expect(JSON.stringify(plain)).not.toContain(process.version);
    await play(api, [{ body: api.whole }], {
      headers: { [api.keyHeader.toUpperCase()]: null, "User-Agent": "Mine", Authorization: "Own" },
    });
    const changed = vendor?.requests[0]?.headers ?? {};
    expect(changed).toMatchObject({ "user-agent": "Mine", authorization: "Own" });
    if (api.keyHeader !== "authorization") expect(changed).not.toHaveProperty(api.keyHeader);
  });

  it("P-138, P-139, P-147: hooks see the body, the head and each vendor event", async () => {
    const heads: number[] = [];
    const chunks: number[] = [];
    const run = await play(api, [{ body: api.whole }], {
      onPayload: (payload) => ({ ...(payload as object), extra_field: 1 }),
      onResponse: ({ status }) => void heads.push(status),
      onProviderStreamEvent: (_event, _model, chunk) => void chunks.push(chunk),
    });
    expect(run.message.stopReason).toBe("toolUse");
    expect(vendor?.requests[0]?.body.extra_field).toBe(1);
    expect(heads).toEqual([200]);
    expect(chunks.length).toBeGreaterThan(2);
  });

  it("P-143, P-146: what an api does not know leaves no trace in its body", async () => {
    const plain = await bodyOf(api, hello);
    const odd = await bodyOf(api, hello, {
      transport: "websocket",
      metadata: { trace: "t-1", user: "u-1" },
    });
    expect(odd).toEqual(plain);
  });

  it("A-002: what is not set leaves no key", async () => {
    const body = await bodyOf(api, hello, {
      temperature: undefined,
      toolChoice: undefined,
      metadata: undefined,
      sessionId: undefined,
    });
    expect(JSON.stringify(body)).not.toContain("null");
    expect(body).not.toHaveProperty("temperature");
  });

  it("P-150, W-16: a tool choice goes with tools, and not at all when it is left open", async () => {
    const choice = (body: Record<string, unknown>): unknown => body.tool_choice ?? body.toolConfig;
    const withTools: Context = { ...hello, tools: [addTool] };
    expect(JSON.stringify(choice(await bodyOf(api, withTools, { toolChoice: "none" })))).toMatch(
      /none/i,
    );
    expect(choice(await bodyOf(api, withTools))).toBeUndefined();
    expect(choice(await bodyOf(api, hello, { toolChoice: "none" }))).toBeUndefined();
  });

  it("P-142, P-414: the caller's cap of the answer is the cap that is sent", async () => {
    const capOf = (body: Record<string, unknown>): unknown =>
      body.max_tokens ??
      body.max_completion_tokens ??
      body.max_output_tokens ??
      (body.generationConfig as Record<string, unknown>).maxOutputTokens;
    expect(capOf(await bodyOf(api, hello, { maxTokens: 5000, reasoning: "high" }))).toBe(5000);
    expect(capOf(await bodyOf(api, hello))).toBe(64_000);
  });

  it("P-408: names that the vendor refuses go out and come back one to one", async () => {
    const names = ["add", "files.read", "files_read", `${"x".repeat(64)}1`, `${"x".repeat(64)}2`];
    const call = answer({
      content: names.map((name, index) => ({
        type: "toolCall",
        id: `c${index}`,
        name,
        arguments: {},
      })),
    });
    const body = await bodyOf(api, {
      messages: [...hello.messages, call],
      tools: names.map((name) => ({ ...addTool, name })),
    });
    const told = [...JSON.stringify(body.tools).matchAll(/"name":"([^"]+)"/g)].map(([, n]) => n);
    expect(new Set(told).size).toBe(5);
    for (const name of told) expect(name).toMatch(/^[\w-]{1,64}$/);
    expect(told.slice(0, 1)).toEqual(["add"]);
    const history = JSON.stringify(body.messages ?? body.input ?? body.contents);
    for (const name of told) expect(history).toContain(`"${name}"`);
    const renamed = await play(
      api,
      [{ body: api.whole.replaceAll('"add"', `"${told[1]}"`) }],
      {},
      {
        ...hello,
        tools: [
          { ...addTool, name: "files.read" },
          { ...addTool, name: "files_read" },
        ],
      },
    );
    expect(renamed.message.content.at(-1)).toMatchObject({ name: "files.read" });
  });

  it("P-206, P-405: an end without the vendor's last word is an error that keeps text and open block", async () => {
    const run = await play(api, [{ body: api.half }]);
    expect(types(run)).toEqual(["start", "text_start", "text_delta", "error"]);
    expect(run.message).toMatchObject({
      stopReason: "error",
      content: [{ type: "text", text: "Hi" }],
      diagnostics: [{ details: { class: "ended-early" } }],
    });
    expect(run.message.errorMessage).not.toBe("");
  });

  it("P-220, P-413: is asked again before the answer, and never once it has begun", async () => {
    const busy = { status: 500, headers: { "retry-after-ms": "1" }, body: "{}" };
    const notices: number[] = [];
    const options: SimpleStreamOptions = {
      maxRetries: undefined,
      onRetry: ({ attempt }) => void notices.push(attempt),
    };
    const before = await play(api, [busy, busy, { body: api.whole }], options);
    expect(before.message.stopReason).toBe("toolUse");
    expect([vendor?.requests.length, notices]).toEqual([3, [1, 2]]);
    await play(api, [{ body: api.half }, { body: api.whole }], options);
    expect(vendor?.requests).toHaveLength(1);
  });

  it("P-264, P-265, P-407, X20: silence in the body is a timeout and no abort", async () => {
    const run = await play(api, [{ body: api.half, thenSilence: true }], { timeoutMs: 500 });
    expect(run.message).toMatchObject({
      stopReason: "error",
      content: [{ text: "Hi" }],
      diagnostics: [{ details: { class: "timeout" } }],
    });
  });

  it("P-291, P-410: usage that the vendor does not tell is unknown and no number is missing", async () => {
    const body = api.whole.replace(/"(usage|usageMetadata)":\{(?:[^{}]|\{[^{}]*\})*\}/g, '"x":0');
    const { message } = await play(api, [{ body }]);
    expect(message.stopReason).toBe("toolUse");
    expect(message.usage).toMatchObject({ input: 0, output: 0, totalTokens: 0, unreported: true });
    expect(Object.values(message.usage.cost).every((part) => part === 0)).toBe(true);
  });

  it("B061: no lone surrogate leaves, in any string", async () => {
    const half = "\ud83d";
    const messages: Message[] = [
      { role: "user", content: `u${half}😀`, timestamp: 1 },
      answer({
        content: [
          { type: "text", text: `t${half}` },
          { type: "toolCall", id: "c", name: "add", arguments: { [`k${half}`]: `v${half}` } },
        ],
      }),
      {
        role: "toolResult",
        toolCallId: "c",
        toolName: "add",
        content: [{ type: "text", text: `r${half}` }],
        isError: false,
        timestamp: 3,
      },
    ];
    const sent = JSON.stringify(
      await bodyOf(api, {
        systemPrompt: `s${half}`,
        messages,
        tools: [{ ...addTool, description: `d${half}` }],
      }),
    );
    expect(sent).toContain("😀");
    expect(sent).not.toMatch(/\\ud[89a-f]/i);
  });
});
