import { describe, expect, it } from "vitest";
import { finish, streamBody, text } from "../../testing/completions-chunks.ts";
import { checkEventOrder } from "../../testing/event-order.ts";
import { play, playAnswer } from "../../testing/play-completions.ts";
import { readAll, testModel, transcript } from "../../testing/run-stream.ts";
import { startVendor, type VendorAnswer } from "../../testing/vendor-server.ts";
import { stream, streamSimple } from "./index.ts";

describe("errors", () => {
  it.each<[string, unknown, string]>([
    ["an error object", { error: { message: "Overloaded", code: 503 } }, "503: Overloaded"],
    ["an error text", { error: "Overloaded" }, "Overloaded"],
    [
      "beside choices",
      { ...text(""), error: { code: 502, message: "Overloaded" } },
      "502: Overloaded",
    ],
    [
      "in the choice",
      {
        choices: [
          { index: 0, delta: {}, finish_reason: "error", error: { message: "Overloaded" } },
        ],
      },
      "Overloaded",
    ],
    ["a bare error", { object: "error", message: "Overloaded", code: 500 }, "500: Overloaded"],
    ["a bare body", { code: "Busy", message: "Overloaded" }, "Overloaded"],
    ["a list", [{ error: { code: 503, message: "Overloaded" } }], "503: Overloaded"],
    [
      "with the words of the vendor behind",
      { error: { message: "Provider returned error", metadata: { raw: "Overloaded" } } },
      "Provider returned error\nOverloaded",
    ],
  ])("%s inside a stream ends it, keeping what came", async (_name, event, errorMessage) => {
    const run = await play([text("Hi"), event, text(" ghost"), finish("stop")]);
    expect(run.message).toMatchObject({
      stopReason: "error",
      errorMessage,
      content: [{ text: "Hi" }],
    });
    expect(checkEventOrder(run.events)).toEqual([]);
  });

  it("an event of that name is one, whatever its shape", async () => {
    const body = `${streamBody([text("Hi")], false)}event: error\ndata: {"message":"Broken"}\n\n`;
    const { message } = await playAnswer({ body });
    expect(message).toMatchObject({ stopReason: "error", errorMessage: "Broken" });
  });

  it("usage beside an error counts", async () => {
    const { message } = await play([
      { error: { message: "No" }, choices: [], usage: { prompt_tokens: 4, completion_tokens: 2 } },
    ]);
    expect(message).toMatchObject({ stopReason: "error", usage: { input: 4, output: 2 } });
  });

  it.each<[string, VendorAnswer, string, string]>([
    [
      "JSON in a good answer",
      { contentType: "application/json", body: '{"error":{"message":"Overloaded"}}' },
      "Overloaded",
      "overloaded",
    ],
    [
      "an HTML page in a good answer",
      { contentType: "text/html", body: "<html><head><title>Gateway</title></head></html>" },
      "an HTML page: Gateway",
      "invalid-request",
    ],
    [
      "a body that SDKs drop",
      {
        status: 400,
        contentType: "application/json",
        body: '{"detail":"Temperature is too high"}',
      },
      "400: Temperature is too high",
      "invalid-request",
    ],
    [
      "an error that is a text",
      { status: 404, contentType: "application/json", body: '{"error":"no such model: x"}' },
      "404: no such model: x",
      "not-found",
    ],
    [
      "a wrong key",
      {
        status: 401,
        contentType: "application/json",
        body: '{"error":{"message":"Incorrect API key provided"}}',
      },
      "401: Incorrect API key provided",
      "auth",
    ],
    [
      "an HTML page",
      { status: 502, contentType: "text/html", body: "<html><title>Bad gateway</title></html>" },
      "502: an HTML page: Bad gateway",
      "overloaded",
    ],
    [
      "a router's refusal",
      {
        status: 429,
        contentType: "application/json",
        body: '{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"slow down"}}}',
      },
      "429: Provider returned error\nslow down",
      "rate-limit",
    ],
  ])("%s is told in the vendor's words", async (_name, answer, errorMessage, errorClass) => {
    const { message } = await playAnswer(answer);
    expect(message).toMatchObject({
      stopReason: "error",
      errorMessage: expect.stringContaining(errorMessage),
      diagnostics: [{ details: { class: errorClass } }],
    });
  });

  it("Cerebras: a refusal without a word means that the prompt is too long", async () => {
    const model = { provider: "cerebras" };
    const { message } = await playAnswer({ status: 400, contentType: "text/plain" }, { model });
    expect(message.diagnostics).toMatchObject([
      { details: { class: "context-overflow", status: 400 } },
    ]);
  });

  it("Retry-After is obeyed and told, x-should-retry too", async () => {
    const vendor = await startVendor(
      { status: 429, headers: { "retry-after-ms": "1" }, body: "slow down" },
      { status: 400, headers: { "x-should-retry": "true", "retry-after-ms": "2" } },
      { body: streamBody([text("Hi"), finish("stop")]) },
    );
    const notices: unknown[] = [];
    const { message } = await readAll(
      stream(
        testModel({ api: "openai-completions", id: "m", baseUrl: `${vendor.origin}/v1` }),
        transcript(),
        { maxRetries: 2, onRetry: ({ delayMs, status }) => notices.push({ delayMs, status }) },
      ),
    );
    expect(message).toMatchObject({ stopReason: "stop", content: [{ text: "Hi" }] });
    expect(notices).toEqual([
      { delayMs: 1, status: 429 },
      { delayMs: 2, status: 400 },
    ]);
    await vendor.stop();
  });

  it("P-271: no key is an error; streamSimple throws it, stream tells it", async () => {
    const model = testModel({
      api: "openai-completions",
      id: "m",
      provider: "groq",
      baseUrl: "https://api.groq.com/openai/v1",
    });
    expect(() => streamSimple(model, transcript())).toThrow("There is no API key for groq.");
    const { events } = await readAll(stream(model, transcript()));
    expect(events).toMatchObject([
      { type: "error", error: { errorMessage: "There is no API key for groq." } },
    ]);
  });

  it("an abort keeps what came and closes the vendor's connection", async () => {
    const vendor = await startVendor({ body: streamBody([text("Hi")], false), thenSilence: true });
    const abort = new AbortController();
    const run = streamSimple(
      testModel({ api: "openai-completions", id: "m", baseUrl: `${vendor.origin}/v1` }),
      transcript(),
      { signal: abort.signal },
    );
    for await (const event of run) if (event.type === "text_delta") abort.abort();
    expect(await run.result()).toMatchObject({ stopReason: "aborted", content: [{ text: "Hi" }] });
    await vendor.closed;
    await vendor.stop();
  });
});
