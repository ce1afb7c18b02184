import { describe, expect, it } from "vitest";
import { AssistantMessageEventStream } from "@/lib/ai/event-stream";
import type { ApiImplementation, SimpleStreamOptions, StreamFunction } from "@/lib/ai/types";
import { captureRequest } from "./capture-request";
import { targetModel } from "./target-model";

const message = { role: "user" as const, content: "hi", timestamp: 0 };

/** An adapter that does nothing but its request. */
function adapter(request: (options: SimpleStreamOptions) => Promise<unknown>): ApiImplementation {
  const stream: StreamFunction<SimpleStreamOptions> = (_model, _context, options = {}) => {
    const events = new AssistantMessageEventStream();
    request(options).finally(() => events.end());
    return events;
  };
  return { stream, streamSimple: stream };
}

const model = targetModel({ api: "openai-responses", provider: "openai", model: "gpt-r" });

describe("captureRequest", () => {
  it("keeps the request that goes through the given fetch, without its key", async () => {
    const implementation = adapter((options) =>
      (options.fetch ?? fetch)("https://api.example/v1/responses?key=abc", {
        method: "POST",
        headers: { authorization: `Bearer ${options.apiKey}`, "x-kind": "test" },
        body: JSON.stringify({ cap: options.maxTokens }),
      }),
    );
    const context = { messages: [message] };
    expect(await captureRequest(implementation, model, context, { maxTokens: 7 })).toEqual({
      method: "POST",
      url: "https://api.example/v1/responses?key=redacted",
      headers: {
        authorization: "[redacted]",
        "content-type": "text/plain;charset=UTF-8",
        "x-kind": "test",
      },
      body: { cap: 7 },
    });
  });

  it("keeps the request of an SDK that takes the global fetch", async () => {
    const before = globalThis.fetch;
    const implementation = adapter(() => fetch("https://api.example/x", { headers: { a: "b" } }));
    const { url, headers } = await captureRequest(implementation, model, { messages: [] }, {});
    expect({ url, headers }).toEqual({ url: "https://api.example/x", headers: { a: "b" } });
    expect(globalThis.fetch).toBe(before);
  });

  it("fails with the adapter's own words when there was no request", async () => {
    const implementation = adapter(async () => {});
    await expect(captureRequest(implementation, model, { messages: [] }, {})).rejects.toThrow(
      "The stream ended without a result.",
    );
  });
});

describe("targetModel", () => {
  it("has plain facts for a model that nobody knows", () => {
    expect(model).toEqual({
      id: "gpt-r",
      name: "gpt-r",
      api: "openai-responses",
      provider: "openai",
      baseUrl: "https://api.openai.com/v1",
      reasoning: false,
      input: ["text", "image"],
      contextWindow: 200_000,
      maxTokens: 32_000,
    });
  });

  it("takes the catalog's facts, and the target's own over them", () => {
    const target = { api: "anthropic-messages", provider: "anthropic", model: "claude-haiku-4-5" };
    const known = targetModel(target);
    expect(known).toMatchObject({ reasoning: true, maxTokens: 64_000 });
    expect(known.cost?.input).toBeGreaterThan(0);
    expect(targetModel({ ...target, maxTokens: 5 }).maxTokens).toBe(5);
  });

  it("takes other fields for compat flags", () => {
    const target = { api: "google-generative-ai", provider: "google", model: "gemini-x" };
    expect(targetModel({ ...target, requiresThoughtSignature: true }).compat).toEqual({
      requiresThoughtSignature: true,
    });
    expect(
      targetModel({
        api: "openai-completions",
        provider: "mistral",
        model: "local",
        baseUrl: "http://127.0.0.1:9/v1",
        compat: { toolCallIdFormat: "mistral9" },
      }),
    ).toMatchObject({
      baseUrl: "http://127.0.0.1:9/v1",
      compat: { requiresShortToolCallIds: true },
    });
  });

  it.each([
    [{ api: "smoke-signals", provider: "p", model: "m" }, 'api is "smoke-signals"'],
    [{ api: "openai-responses", provider: "p" }, "at model"],
    [{ api: "openai-responses", provider: "p", model: "m", maxTokens: "9" }, "at maxTokens"],
  ])("names what is wrong: %o", (target, words) => {
    expect(() => targetModel(target)).toThrow(words);
  });
});
