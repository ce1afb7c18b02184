import { describe, expect, it } from "vitest";
import { addTool, ask, bodyOf, send, userAsk } from "../../testing/responses-request.ts";
import type { Tool } from "../../types.ts";

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

  it("keeps the query of an address behind the path", async () => {
    const { url } = await send({ messages: [ask] }, {}, {}, "/openai/v1/?api-version=preview");
    expect(url).toBe("/openai/v1/responses?api-version=preview");
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
