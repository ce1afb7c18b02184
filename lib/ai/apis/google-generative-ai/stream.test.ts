import { afterEach, describe, expect, it } from "vitest";
import { checkEventOrder } from "../../testing/event-order.ts";
import { readAll, type StreamRun, testModel, transcript } from "../../testing/run-stream.ts";
import {
  sse,
  startVendor,
  type VendorAnswer,
  type VendorServer,
} from "../../testing/vendor-server.ts";
import type { Model, SimpleStreamOptions } from "../../types.ts";
import { stream, streamSimple } from "./index.ts";

type Chunk = Record<string, unknown>;

const chunk = (parts: Chunk[], candidate: Chunk = {}, more: Chunk = {}): Chunk => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...candidate }],
  responseId: "resp_1",
  modelVersion: "gemini-test-001",
  ...more,
});
const last = (parts: Chunk[] = [], candidate: Chunk = {}): Chunk =>
  chunk(
    parts,
    { finishReason: "STOP", ...candidate },
    {
      usageMetadata: {
        promptTokenCount: 20,
        cachedContentTokenCount: 5,
        toolUsePromptTokenCount: 3,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 4,
        totalTokenCount: 34,
      },
    },
  );

let vendor: VendorServer | undefined;
afterEach(async () => {
  await vendor?.stop();
  vendor = undefined;
});

async function play(
  answers: VendorAnswer[],
  options: SimpleStreamOptions = {},
  model: Partial<Model> = {},
): Promise<StreamRun> {
  vendor = await startVendor(...answers);
  return readAll(
    streamSimple(
      testModel({
        api: "google-generative-ai",
        id: "gemini-test",
        baseUrl: `${vendor.origin}/v1beta`,
        ...model,
      }),
      transcript(),
      { apiKey: "key-1", maxRetries: 0, ...options },
    ),
  );
}

const playChunks = (...chunks: Chunk[]): Promise<StreamRun> => play([{ body: sse(chunks) }]);
const problem = (status: number, error: Chunk): VendorAnswer => ({
  status,
  contentType: "application/json",
  body: JSON.stringify({ error: { code: status, ...error } }),
});

const everything: Chunk[] = [
  chunk([{ text: "Let me ", thought: true }]),
  chunk([{ text: "see.", thought: true, thoughtSignature: "U0lHMQ==" }]),
  chunk([{ text: "On " }]),
  chunk([{ text: "it 👍." }, { text: "", thoughtSignature: "U0lHMg==" }]),
  chunk([
    { functionCall: { name: "add", args: { a: 1 }, id: "c1" }, thoughtSignature: "U0lHMw==" },
    { functionCall: { name: "add", args: { a: 2 }, id: "c1" } },
  ]),
  chunk([{ text: "Done." }]),
  last([{ text: "" }]),
];

describe("an answer of the Gemini API", () => {
  it.each([undefined, 1, 7])(
    "becomes blocks, usage and a stop reason (chunks of %s)",
    async (size) => {
      const { events, message } = await play([{ body: sse(everything), chunk: size }]);

      expect(checkEventOrder(events)).toEqual([]);
      expect(message.content).toEqual([
        { type: "thinking", thinking: "Let me see.", thinkingSignature: "U0lHMQ==" },
        { type: "text", text: "On it 👍.", textSignature: "U0lHMg==" },
        {
          type: "toolCall",
          id: "c1",
          name: "add",
          arguments: { a: 1 },
          thoughtSignature: "U0lHMw==",
        },
        {
          type: "toolCall",
          id: expect.stringMatching(/^call_\w+$/),
          name: "add",
          arguments: { a: 2 },
        },
        { type: "text", text: "Done." },
      ]);
      expect(message).toMatchObject({
        responseId: "resp_1",
        responseModel: "gemini-test-001",
        stopReason: "toolUse",
        rawStopReason: "STOP",
      });
      expect(message.native).toBeUndefined();
      expect(message.usage).toMatchObject({
        input: 18,
        output: 11,
        cacheRead: 5,
        cacheWrite: 0,
        reasoning: 4,
        totalTokens: 34,
      });
    },
  );

  it("tells the events in order, and an exchange of two is noticed", async () => {
    const { events } = await playChunks(...everything);

    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "thinking_start",
      "thinking_delta",
      "thinking_delta",
      "thinking_end",
      "text_start",
      "text_delta",
      "text_delta",
      "text_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "text_start",
      "text_delta",
      "text_end",
      "done",
    ]);
    // Between two blocks that are each whole, the order of one's end and the next one's start is free.
    const borders = ["thinking_end", "text_end", "toolcall_end"];
    for (let at = 0; at + 1 < events.length; at++) {
      const [first, second] = [events[at], events[at + 1]];
      if (!first || !second || first.type === second.type) continue;
      if (borders.includes(first.type) && second.type !== "done") continue;
      const swapped = events.with(at, second).with(at + 1, first);
      expect(checkEventOrder(swapped), `${first.type} and ${second.type}`).not.toEqual([]);
    }
  });

  it("goes on behind a finish reason that was not the last", async () => {
    const { message } = await playChunks(
      chunk([{ text: "One " }], { finishReason: "STOP" }),
      last([{ text: "two" }]),
    );
    expect(message).toMatchObject({ stopReason: "stop", content: [{ text: "One two" }] });
  });

  it("assembles a call whose arguments are streamed", async () => {
    const piece = (functionCall: Chunk): Chunk => chunk([{ functionCall }]);
    const { events, message } = await playChunks(
      piece({ name: "now" }),
      piece({ name: "find", willContinue: true }),
      piece({
        partialArgs: [{ jsonPath: "$.city", stringValue: "Os", willContinue: true }],
        willContinue: true,
      }),
      piece({ partialArgs: [{ jsonPath: "$.city", stringValue: "lo" }], willContinue: true }),
      piece({}),
      last(),
    );
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toMatchObject([
      { name: "now", arguments: {} },
      { name: "find", arguments: { city: "Oslo" } },
    ]);
    expect(
      events.flatMap((event) => (event.type === "toolcall_delta" ? [event.delta] : [])),
    ).toEqual(["{}", '{"city":"Os', 'lo"', "}"]);
    expect(message.stopReason).toBe("toolUse");
  });

  it("keeps server-side tools and images as they came, and shows the images", async () => {
    const parts = [
      { executableCode: { language: "PYTHON", code: "print(1)" }, thoughtSignature: "U0lH" },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
      { toolCall: { id: "x", toolType: "GOOGLE_SEARCH" } },
      { partOfTheFuture: { a: 1 } },
    ];
    const { events, message } = await playChunks(
      chunk([{ text: "First." }]),
      chunk(parts),
      chunk([{ inlineData: { mimeType: "image/png", data: "AAAA" } }]),
      last([{ text: "Last." }]),
    );
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toEqual([
      { type: "text", text: "First." },
      { type: "text", text: "Last." },
    ]);
    expect(message.images).toEqual([{ type: "image", data: "AAAA", mimeType: "image/png" }]);
    expect(message.native?.items).toEqual([
      { text: "First." },
      ...parts,
      { inlineData: { mimeType: "image/png", imageIndex: 0 } },
      { text: "Last." },
    ]);
    expect(message.stopReason).toBe("stop");
  });

  it("gives text its sources, counted in characters of its block", async () => {
    const { message } = await playChunks(
      chunk([{ text: "Ünïcode 👍 first. " }]),
      last([{ text: "Then Paris." }], {
        groundingMetadata: {
          groundingChunks: [
            { web: { uri: "https://a.example", title: "A" } },
            { retrievedContext: { text: "…", fileSearchStore: "fileSearchStores/s1" } },
            { maps: { uri: "https://unused.example" } },
          ],
          groundingSupports: [
            {
              segment: { startIndex: 22, endIndex: 33, text: "Then Paris." },
              groundingChunkIndices: [0],
            },
            {
              segment: { startIndex: 0, endIndex: 3, text: "first." },
              groundingChunkIndices: [1, 7],
            },
          ],
        },
        citationMetadata: {
          citationSources: [{ uri: "https://c.example", startIndex: 0, endIndex: 9 }],
        },
      }),
    );
    const text = "Ünïcode 👍 first. Then Paris.";
    const [block] = message.content;
    if (block?.type !== "text") throw new Error("no text");
    expect(block.text).toBe(text);
    expect(block.sources).toEqual([
      { url: "https://a.example", title: "A", start: text.indexOf("Then"), end: text.length },
      { url: "fileSearchStores/s1", start: text.indexOf("first"), end: text.indexOf("first") + 6 },
      { url: "https://c.example", start: 0, end: 7 },
      { url: "https://unused.example" },
    ]);
  });

  it("counts only the first of several candidates", async () => {
    const { message } = await playChunks(
      {
        candidates: [
          { content: { parts: [{ text: "first" }] } },
          { index: 1, content: { parts: [{ text: "second" }] } },
        ],
      },
      last(),
    );
    expect(message.content).toMatchObject([{ text: "first" }]);
  });

  it("P-289: the last word on each figure counts", async () => {
    const { message } = await playChunks(
      chunk(
        [{ text: "x" }],
        {},
        { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1 } },
      ),
      chunk([], {}, { usageMetadata: { candidatesTokenCount: 3 } }),
      chunk([], { finishReason: "STOP" }, { usageMetadata: { candidatesTokenCount: 7 } }),
    );
    expect(message.usage).toMatchObject({ input: 9, output: 7 });
  });

  it("never has a negative count", async () => {
    const { message } = await playChunks(
      chunk(
        [{ text: "x" }],
        { finishReason: "STOP" },
        {
          usageMetadata: { promptTokenCount: 2, cachedContentTokenCount: 6 },
        },
      ),
    );
    expect(message.usage).toMatchObject({ input: 0, cacheRead: 6, output: 0 });
    expect(message.usage.cost.total).toBeGreaterThan(0);
  });

  it("is cut at the cap", async () => {
    for (const finishReason of ["MAX_TOKENS", "CONTINUATION"]) {
      const { message } = await playChunks(chunk([{ text: "x" }], { finishReason }));
      expect([message.stopReason, message.rawStopReason]).toEqual(["length", finishReason]);
      await vendor?.stop();
    }
  });
});

describe("a failure of the Gemini API", () => {
  it("is a blocked prompt, with the reason", async () => {
    const { message } = await playChunks({
      promptFeedback: { blockReason: "SAFETY" },
      usageMetadata: { promptTokenCount: 4, totalTokenCount: 4 },
    });
    expect(message.errorMessage).toBe("The prompt was blocked (SAFETY).");
    expect(message.diagnostics?.[0]?.details?.class).toBe("content-filter");
    expect(message.usage.input).toBe(4);
  });

  it("is a finish reason that tells of no whole answer, a new one included", async () => {
    const reasons = {
      SAFETY: "content-filter",
      RECITATION: "content-filter",
      MALFORMED_FUNCTION_CALL: "unknown",
      REASON_OF_THE_FUTURE: "unknown",
    };
    for (const [finishReason, errorClass] of Object.entries(reasons)) {
      const { message } = await playChunks(chunk([{ text: "Some" }]), {
        candidates: [{ finishReason, finishMessage: "because" }],
      });
      expect(message).toMatchObject({
        stopReason: "error",
        rawStopReason: finishReason,
        errorMessage: `The model ended its answer with ${finishReason}: because`,
        content: [{ type: "text", text: "Some" }],
        diagnostics: [{ details: { class: errorClass } }],
      });
      await vendor?.stop();
    }
  });

  it("is an end without a finish reason", async () => {
    const { events, message } = await playChunks(chunk([{ text: "Some" }]));
    expect(message.diagnostics?.[0]?.details?.class).toBe("ended-early");
    expect(events.map(({ type }) => type)).not.toContain("text_end");
  });

  it("comes in the middle of a stream, or as a bare document", async () => {
    const error = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" };
    const inStream = await playChunks(chunk([{ text: "Half" }]), { error });
    expect(inStream.message).toMatchObject({
      stopReason: "error",
      content: [{ text: "Half" }],
      diagnostics: [{ details: { class: "overloaded", status: 503 } }],
    });
    await vendor?.stop();
    const bare = await play([{ contentType: "application/json", body: JSON.stringify({ error }) }]);
    expect(bare.message.errorMessage).toContain("The model is overloaded.");
  });

  it("is an HTTP status with the vendor's sentence", async () => {
    const { message } = await play([
      problem(400, { message: "API key not valid.", status: "INVALID_ARGUMENT" }),
    ]);
    expect(message.errorMessage).toContain("API key not valid.");
    expect(message.diagnostics?.[0]?.details).toMatchObject({ class: "auth", status: 400 });
  });

  it("is tried again after as long as the body asks to wait, unless that is too long", async () => {
    const busy = (retryDelay: string): VendorAnswer =>
      problem(429, {
        message: "Slow down.",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay }],
      });
    const delays: number[] = [];
    const soon = await play([busy("0.002s"), { body: sse([last([{ text: "Hi" }])]) }], {
      maxRetries: 1,
      onRetry: ({ delayMs }) => delays.push(delayMs),
    });
    expect(soon.message.stopReason).toBe("stop");
    expect(delays).toEqual([2]);
    await vendor?.stop();
    const late = await play([busy("3600s")], { maxRetries: 1 });
    expect(late.message.errorMessage).toContain("3600 s");
    expect(vendor?.requests).toHaveLength(1);
  });

  it("is silence", async () => {
    const { message } = await play(
      [{ body: sse([chunk([{ text: "Half" }])]), thenSilence: true }],
      { timeoutMs: 40 },
    );
    expect(message.stopReason).toBe("error");
    expect(message.diagnostics?.[0]?.details?.class).toBe("timeout");
  });

  it("is the person's stop, which closes the connection", async () => {
    const stop = new AbortController();
    vendor = await startVendor({ body: sse([chunk([{ text: "Hel" }])]), thenSilence: true });
    const events = streamSimple(
      testModel({
        api: "google-generative-ai",
        id: "gemini-test",
        baseUrl: `${vendor.origin}/v1beta`,
      }),
      transcript(),
      { apiKey: "key-1", signal: stop.signal },
    );
    for await (const event of events) if (event.type === "text_delta") stop.abort();
    const message = await events.result();
    await vendor.closed;
    expect(message).toMatchObject({ stopReason: "aborted", content: [{ text: "Hel" }] });
  });
});

describe("a request that goes out", () => {
  const answers = [{ body: sse([last([{ text: "Hi" }])]) }];

  it("is watched at every step", async () => {
    const seen: unknown[] = [];
    const { message } = await play(answers, {
      onPayload: (payload) => ({ ...(payload as object), labels: { a: "b" } }),
      onRequest: ({ method, url, headers, attempt }) =>
        void seen.push([method, new URL(url).pathname, headers["x-goog-api-key"], attempt]),
      onResponse: ({ status }) => void seen.push(status),
      onProviderStreamEvent: (event) => void seen.push((event as Chunk).responseId),
    });
    expect(message.stopReason).toBe("stop");
    expect(vendor?.requests[0]?.body.labels).toEqual({ a: "b" });
    expect(vendor?.requests[0]?.url).toBe(
      "/v1beta/models/gemini-test:streamGenerateContent?alt=sse",
    );
    expect(seen).toEqual([
      ["POST", "/v1beta/models/gemini-test:streamGenerateContent", "[redacted]", 1],
      200,
      "resp_1",
    ]);
  });

  it("is signed, and tells nothing of the machine that it comes from", async () => {
    await play(answers);
    const headers = vendor?.requests[0]?.headers ?? {};
    expect(headers["x-goog-api-key"]).toBe("key-1");
    expect(headers["x-goog-api-client"]).toBeUndefined();
    expect(headers["user-agent"]).not.toContain(process.version);
  });

  it("lets the request's headers have the last word, and null remove one", async () => {
    await play(
      answers,
      { headers: { "X-Goog-Api-Key": null, authorization: "Bearer mine" } },
      { headers: { "x-extra": "model" } },
    );
    const headers = vendor?.requests[0]?.headers;
    expect(headers).toMatchObject({ authorization: "Bearer mine", "x-extra": "model" });
    expect(headers?.["x-goog-api-key"]).toBeUndefined();
  });

  it("goes without a key where the host is local, and needs one elsewhere", async () => {
    await play(answers, { apiKey: "" });
    expect(vendor?.requests[0]?.headers["x-goog-api-key"]).toBeUndefined();

    const model = testModel({
      api: "google-generative-ai",
      id: "g",
      baseUrl: "https://host.example",
    });
    expect(() => streamSimple(model, transcript(), {})).toThrow("no API key for vendor");
    const { message } = await readAll(stream(model, transcript(), {}));
    expect(message.diagnostics?.[0]?.details?.class).toBe("auth");
  });

  it("may ask for a model with a strange name, but for no other path", async () => {
    await play(answers, {}, { id: "tuned?x" });
    expect(vendor?.requests[0]?.url).toBe("/v1beta/models/tuned%3Fx:streamGenerateContent?alt=sse");
    await vendor?.stop();
    const { message } = await play(answers, {}, { id: "../files" });
    expect(message.stopReason).toBe("error");
    expect(vendor?.requests).toEqual([]);
  });
});
