import { describe, expect, it } from "vitest";
import type { OpenAICompletionsCompat } from "../../compat.ts";
import { capture } from "../../testing/play-completions.ts";
import { hello, testModel } from "../../testing/run-stream.ts";
import type { Model } from "../../types.ts";
import { completionsCompat } from "./compat.ts";

const flagsOf = (fields: Partial<Model>): OpenAICompletionsCompat =>
  completionsCompat(
    testModel({
      api: "openai-completions",
      id: "m",
      baseUrl: "https://api.unknown.example/v1",
      ...fields,
    }),
  );

type Flags = Partial<OpenAICompletionsCompat>;
const old: Flags = { supportsStore: false, maxTokensField: "max_tokens" };
const local: Flags = {
  ...old,
  supportsReasoningEffort: false,
  requiresNonNullAssistantContent: true,
  inlineThinkTags: true,
};

describe("what is known of a host", () => {
  it.each<[provider: string, baseUrl: string, Flags]>([
    [
      "openai",
      "https://api.openai.com/v1",
      {
        supportsDeveloperRole: true,
        supportsStore: true,
        maxTokensField: "max_completion_tokens",
        supportsTemperature: false,
      },
    ],
    [
      "deepseek",
      "https://api.deepseek.com",
      {
        ...old,
        thinkingFormat: "deepseek",
        requiresReasoningContentOnAssistantMessages: true,
        supportsReasoningEffort: true,
      },
    ],
    [
      "xai",
      "https://api.x.ai/v1",
      {
        supportsStore: false,
        supportsReasoningEffort: false,
        maxTokensField: "max_completion_tokens",
      },
    ],
    [
      "groq",
      "https://api.groq.com/openai/v1",
      {
        supportsStore: true,
        supportsReasoningEffort: true,
        maxTokensField: "max_completion_tokens",
      },
    ],
    [
      "mistral",
      "https://api.mistral.ai/v1",
      {
        ...old,
        requiresToolResultName: true,
        requiresShortToolCallIds: true,
        supportsUsageInStreaming: false,
      },
    ],
    [
      "cerebras",
      "https://api.cerebras.ai/v1",
      { supportsStore: false, maxTokensField: "max_completion_tokens" },
    ],
    [
      "openrouter",
      "https://openrouter.ai/api/v1",
      {
        thinkingFormat: "openrouter",
        sendSessionAffinityHeaders: true,
        sessionAffinityFormat: "openrouter",
      },
    ],
    [
      "together",
      "https://api.together.xyz/v1",
      {
        ...old,
        thinkingFormat: "together",
        supportsReasoningEffort: false,
        supportsLongCacheRetention: false,
      },
    ],
    ["fireworks", "https://api.fireworks.ai/inference/v1", { sendSessionAffinityHeaders: true }],
    ["moonshotai", "https://api.moonshot.cn/v1", { ...old, supportsReasoningEffort: false }],
    [
      "zai",
      "https://api.z.ai/api/coding/paas/v4",
      { ...old, thinkingFormat: "zai", supportsReasoningEffort: false },
    ],
    [
      "alibaba",
      "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
      { ...old, thinkingFormat: "qwen", thinkingTokenBudgetField: "thinking_budget" },
    ],
    ["minimax", "https://api.minimax.io/v1", { ...old, inlineThinkTags: true }],
    [
      "huggingface",
      "https://router.huggingface.co/v1",
      { supportsStore: true, maxTokensField: "max_completion_tokens" },
    ],
    [
      "nvidia",
      "https://integrate.api.nvidia.com/v1",
      {
        ...old,
        supportsReasoningEffort: false,
        requiresNonNullAssistantContent: true,
        supportsLongCacheRetention: false,
      },
    ],
    ["chutes", "https://llm.chutes.ai/v1", old],
  ])("%s, by its id and by its address", (provider, baseUrl, flags) => {
    expect(flagsOf({ provider, baseUrl: "http://127.0.0.1:1/v1" })).toMatchObject(flags);
    expect(flagsOf({ provider: "mine", baseUrl })).toMatchObject(flags);
  });

  it.each(["ollama", "lmstudio", "llamacpp", "vllm", "sglang", "custom"])(
    "%s on one's own machine",
    (provider) => {
      expect(flagsOf({ provider, baseUrl: "http://192.168.0.7:8000/v1" })).toMatchObject(local);
    },
  );

  it("llama.cpp has a budget field of its own, LiteLLM wants a list of tools", () => {
    const baseUrl = "http://127.0.0.1:8080/v1";
    expect(flagsOf({ provider: "llamacpp", baseUrl }).thinkingTokenBudgetField).toBe(
      "thinking_budget_tokens",
    );
    expect(flagsOf({ provider: "litellm", baseUrl }).requiresToolsWithToolHistory).toBe(true);
  });

  it("an unknown host gets what every host takes", () => {
    expect(flagsOf({ provider: "mine" })).toMatchObject({
      ...old,
      supportsDeveloperRole: false,
      inlineThinkTags: false,
      thinkingFormat: "openai",
    });
  });

  it("the address counts before the provider's id, and a likely name is no address", () => {
    expect(
      flagsOf({ provider: "openai", baseUrl: "https://api.deepseek.com/v1" }).thinkingFormat,
    ).toBe("deepseek");
    expect(
      flagsOf({ provider: "mine", baseUrl: "https://api.openai.com.evil.example/v1" })
        .supportsDeveloperRole,
    ).toBe(false);
    expect(flagsOf({ provider: "mine", baseUrl: "not an address" })).toMatchObject(old);
  });

  it("a flag that the model sets wins, false too; undefined falls back", () => {
    const flags = flagsOf({
      provider: "openai",
      compat: {
        supportsStore: false,
        supportsDeveloperRole: undefined,
        maxTokensField: "max_tokens",
      },
    });
    expect(flags).toMatchObject({ ...old, supportsDeveloperRole: true });
  });

  it("cache marks are for Anthropic's models behind OpenRouter", () => {
    expect(flagsOf({ provider: "openrouter", id: "anthropic/claude-x" }).cacheControlFormat).toBe(
      "anthropic",
    );
    expect(
      flagsOf({ provider: "openrouter", id: "openai/gpt-x" }).cacheControlFormat,
    ).toBeUndefined();
  });

  it("B071: exactly one limit is sent, the one that the host knows", async () => {
    const options = { maxTokens: 100 };
    const custom = await capture(hello, {
      options,
      model: { provider: "custom", baseUrl: "http://127.0.0.1:9/v1" },
    });
    expect(custom.body).toMatchObject({ max_tokens: 100 });
    expect(custom.body).not.toHaveProperty("max_completion_tokens");
    const openai = await capture(hello, { options, model: { reasoning: true } });
    expect(openai.body).toMatchObject({ max_completion_tokens: 100 });
    expect(openai.body).not.toHaveProperty("max_tokens");
  });
});
