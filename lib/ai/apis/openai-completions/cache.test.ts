import { describe, expect, it } from "vitest";
import { capture, type PlayOptions } from "../../testing/play-completions.ts";
import { answer, hello } from "../../testing/run-stream.ts";

describe("caches and sessions", () => {
  const session = { sessionId: "s-1" };
  const openrouter = {
    provider: "openrouter",
    id: "anthropic/claude-x",
    baseUrl: "https://openrouter.ai/api/v1",
  };

  it("OpenAI gets the key of the session; long retention is asked for", async () => {
    expect((await capture(hello, { options: session })).body).toMatchObject({
      prompt_cache_key: "s-1",
    });
    const long = await capture(hello, {
      options: { ...session, env: { RILL_CACHE_RETENTION: "long" } },
    });
    expect(long.body).toMatchObject({ prompt_cache_key: "s-1", prompt_cache_retention: "24h" });
    const none = await capture(hello, { options: { ...session, cacheRetention: "none" } });
    expect(none.body).not.toHaveProperty("prompt_cache_key");
    const groq = { provider: "groq", baseUrl: "https://api.groq.com/openai/v1" };
    expect((await capture(hello, { options: session, model: groq })).body).not.toHaveProperty(
      "prompt_cache_key",
    );
    const enabled = await capture(hello, {
      options: session,
      model: groq,
      compat: { promptCacheKeyMode: "enabled" },
    });
    expect(enabled.body).toMatchObject({ prompt_cache_key: "s-1" });
  });

  it("a host without long retention is not asked for it", async () => {
    const options = { ...session, cacheRetention: "long" } as const;
    const { body } = await capture(hello, {
      options,
      compat: { supportsLongCacheRetention: false },
    });
    expect(body).not.toHaveProperty("prompt_cache_retention");
    const disabled = await capture(hello, { options, compat: { promptCacheKeyMode: "disabled" } });
    expect(disabled.body).not.toHaveProperty("prompt_cache_key");
    expect(disabled.body).toMatchObject({ prompt_cache_retention: "24h" });
  });

  it("marks the prompt, the last tool and the last text", async () => {
    const { body } = await capture(
      {
        systemPrompt: "Be brief.",
        messages: [
          ...hello.messages,
          answer({ content: [{ type: "text", text: "Yes?" }] }),
          ...hello.messages,
        ],
        tools: ["a", "b"].map((name) => ({ name, description: "", parameters: {} })),
      },
      { model: openrouter, options: { cacheRetention: "long" } },
    );
    const cache_control = { type: "ephemeral", ttl: "1h" };
    expect(body.messages).toEqual([
      { role: "system", content: [{ type: "text", text: "Be brief.", cache_control }] },
      { role: "user", content: "hi" },
      { role: "assistant", content: "Yes?" },
      { role: "user", content: [{ type: "text", text: "hi", cache_control }] },
    ]);
    expect(body.tools).toMatchObject([{ type: "function" }, { cache_control }]);
    expect((body.tools as object[])[0]).not.toHaveProperty("cache_control");
  });

  it.each<[string, PlayOptions, Record<string, string>]>([
    ["OpenRouter's", { model: openrouter }, { "x-session-id": "s-1", "x-title": "Rill" }],
    [
      "the common ones",
      { compat: { sendSessionAffinityHeaders: true } },
      { session_id: "s-1", "x-client-request-id": "s-1", "x-session-affinity": "s-1" },
    ],
    [
      "those without an id",
      { compat: { sendSessionAffinityHeaders: true, sessionAffinityFormat: "openai-nosession" } },
      { "x-client-request-id": "s-1", "x-session-affinity": "s-1" },
    ],
  ])("%s headers keep a session together", async (_name, play, expected) => {
    const { headers } = await capture(hello, { ...play, options: session });
    expect(headers).toMatchObject(expected);
    expect("session_id" in headers).toBe("session_id" in expected);
    const none = await capture(hello, { ...play, options: { ...session, cacheRetention: "none" } });
    expect(none.headers).not.toHaveProperty("x-session-affinity");
    expect(none.headers).not.toHaveProperty("x-session-id");
  });
});

describe("other things of hosts", () => {
  it("routing, priority and streamed arguments are sent where they are set", async () => {
    const { body } = await capture(
      { ...hello, tools: [{ name: "a", description: "", parameters: {} }] },
      {
        compat: {
          openRouterRouting: { order: ["x"] },
          vercelGatewayRouting: { only: ["y"] },
          vllmPriority: 0,
          zaiToolStream: true,
        },
      },
    );
    expect(body).toMatchObject({
      provider: { order: ["x"] },
      providerOptions: { gateway: { only: ["y"] } },
      priority: 0,
      tool_stream: true,
    });
  });

  it("A-004: later headers win, null removes, and nothing tells of the machine", async () => {
    const { headers } = await capture(hello, {
      model: { headers: { "X-A": "model", "x-b": "model", "X-C": "model" } },
      options: { headers: { "x-a": "request", "X-B": null, "user-agent": "Mine" } },
    });
    expect(headers).toMatchObject({
      authorization: "Bearer key-1",
      "x-a": "request",
      "x-c": "model",
      "user-agent": "Mine",
    });
    expect(headers).not.toHaveProperty("x-b");
    expect(Object.keys(headers).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
  });

  it("a header may stand in for the key, and a local server needs none", async () => {
    const given = await capture(hello, {
      options: { apiKey: "", headers: { Authorization: "Bearer mine" } },
    });
    expect(given.headers.authorization).toBe("Bearer mine");
    const localServer = await capture(hello, {
      options: { apiKey: "" },
      model: { provider: "ollama", baseUrl: "http://localhost:11434/v1" },
    });
    expect(localServer.headers).not.toHaveProperty("authorization");
  });

  it("a version in the address stays behind the path", async () => {
    const { url } = await capture(hello, {
      model: { baseUrl: "https://x.openai.azure.com/openai/v1/?api-version=preview" },
    });
    expect(url).toBe("https://x.openai.azure.com/openai/v1/chat/completions?api-version=preview");
  });

  it("Mistral gets the tool's name with its result, and no stream options", async () => {
    const { body } = await capture(
      {
        messages: [
          ...hello.messages,
          answer({ content: [{ type: "toolCall", id: "abcdef123", name: "a.b", arguments: {} }] }),
          {
            role: "toolResult",
            toolCallId: "abcdef123",
            toolName: "a.b",
            content: [{ type: "text", text: "x" }],
            isError: false,
            timestamp: 3,
          },
        ],
      },
      { model: { provider: "mistral", baseUrl: "https://api.mistral.ai/v1" } },
    );
    expect(body.messages[2]).toEqual({
      role: "tool",
      content: "x",
      tool_call_id: "abcdef123",
      name: "a_b",
    });
    expect(body).not.toHaveProperty("stream_options");
  });
});
