import type { OpenAICompletionsCompat } from "../../compat.ts";

/** A host that is known: how it is recognised, and what it does otherwise than OpenAI. */
export interface KnownHost {
  providers: string[];
  /** Host names; their subdomains count too. */
  domains: string[];
  flags: Partial<OpenAICompletionsCompat>;
}

/** Takes the old parameter only, and may refuse a parameter that it does not know. */
const plain = { supportsStore: false, maxTokensField: "max_tokens" } as const;
const plainWithoutEffort = { ...plain, supportsReasoningEffort: false } as const;

/** Servers on one's own machine: small chat templates, no key, thinking often inside the text. */
export const localFlags: Partial<OpenAICompletionsCompat> = {
  ...plainWithoutEffort,
  requiresNonNullAssistantContent: true,
  supportsLongCacheRetention: false,
  inlineThinkTags: true,
};

/** Nothing is known of the host, so only what every compatible server takes is sent. */
export const unknownFlags: Partial<OpenAICompletionsCompat> = {
  ...plain,
  supportsLongCacheRetention: false,
};

export const knownHosts: KnownHost[] = [
  {
    providers: ["openai"],
    domains: ["api.openai.com"],
    flags: { supportsDeveloperRole: true },
  },
  { providers: ["azure"], domains: ["openai.azure.com", "services.ai.azure.com"], flags: {} },
  {
    providers: ["openrouter"],
    domains: ["openrouter.ai"],
    flags: {
      thinkingFormat: "openrouter",
      sendSessionAffinityHeaders: true,
      sessionAffinityFormat: "openrouter",
    },
  },
  {
    providers: ["deepseek"],
    domains: ["api.deepseek.com"],
    flags: {
      ...plain,
      thinkingFormat: "deepseek",
      requiresReasoningContentOnAssistantMessages: true,
    },
  },
  {
    providers: ["xai"],
    domains: ["api.x.ai"],
    flags: { supportsStore: false, supportsReasoningEffort: false },
  },
  { providers: ["groq"], domains: ["api.groq.com"], flags: {} },
  {
    providers: ["mistral"],
    domains: ["api.mistral.ai", "codestral.mistral.ai"],
    flags: {
      ...plain,
      // The last chunk has the usage always, and what the schema does not name is refused.
      supportsUsageInStreaming: false,
      requiresToolResultName: true,
      requiresShortToolCallIds: true,
      supportsLongCacheRetention: false,
    },
  },
  { providers: ["cerebras"], domains: ["api.cerebras.ai"], flags: { supportsStore: false } },
  {
    providers: ["together", "togetherai"],
    domains: ["api.together.ai", "api.together.xyz"],
    flags: {
      ...plainWithoutEffort,
      thinkingFormat: "together",
      supportsLongCacheRetention: false,
    },
  },
  {
    providers: ["fireworks"],
    domains: ["api.fireworks.ai"],
    flags: { supportsStore: false, sendSessionAffinityHeaders: true },
  },
  {
    providers: ["moonshotai", "moonshotai-cn", "moonshot", "kimi"],
    domains: ["api.moonshot.ai", "api.moonshot.cn"],
    flags: plainWithoutEffort,
  },
  {
    providers: ["zai", "z-ai", "zhipuai"],
    domains: ["api.z.ai", "open.bigmodel.cn"],
    flags: { ...plainWithoutEffort, thinkingFormat: "zai" },
  },
  {
    providers: ["alibaba", "alibaba-cn", "dashscope", "qwen"],
    domains: ["aliyuncs.com"],
    flags: {
      ...plainWithoutEffort,
      thinkingFormat: "qwen",
      thinkingTokenBudgetField: "thinking_budget",
    },
  },
  {
    providers: ["minimax", "minimax-cn"],
    domains: ["api.minimax.io", "api.minimaxi.com"],
    flags: { ...plainWithoutEffort, inlineThinkTags: true },
  },
  {
    providers: ["huggingface"],
    domains: ["router.huggingface.co"],
    flags: {},
  },
  {
    providers: ["nvidia"],
    domains: ["integrate.api.nvidia.com"],
    flags: {
      ...plainWithoutEffort,
      requiresNonNullAssistantContent: true,
      supportsLongCacheRetention: false,
    },
  },
  {
    providers: ["baseten"],
    domains: ["inference.baseten.co"],
    flags: { ...plain, sendSessionAffinityHeaders: true, supportsLongCacheRetention: false },
  },
  { providers: ["chutes"], domains: ["chutes.ai"], flags: plain },
  {
    providers: ["google", "google-openai-compat"],
    domains: ["generativelanguage.googleapis.com"],
    flags: { ...plain, supportsLongCacheRetention: false },
  },
  {
    providers: ["vercel-gateway", "vercel-ai-gateway", "vercel"],
    domains: ["ai-gateway.vercel.sh"],
    flags: {},
  },
  { providers: ["opencode"], domains: ["opencode.ai"], flags: { supportsStore: false } },
  {
    providers: ["cloudflare-ai-gateway"],
    domains: ["gateway.ai.cloudflare.com"],
    flags: { ...plainWithoutEffort, supportsLongCacheRetention: false },
  },
  {
    providers: ["cloudflare-workers-ai"],
    domains: ["api.cloudflare.com"],
    flags: { supportsStore: false, supportsLongCacheRetention: false },
  },
  {
    providers: ["ant-ling"],
    domains: ["ant-ling.com"],
    flags: {
      ...plainWithoutEffort,
      thinkingFormat: "ant-ling",
      supportsLongCacheRetention: false,
    },
  },
  {
    providers: ["llamacpp", "llama.cpp", "llama-cpp"],
    domains: [],
    flags: { ...localFlags, thinkingTokenBudgetField: "thinking_budget_tokens" },
  },
  {
    providers: ["litellm"],
    domains: [],
    flags: { ...localFlags, requiresToolsWithToolHistory: true },
  },
  {
    providers: ["ollama", "lmstudio", "vllm", "sglang", "mistralrs", "gpustack", "localai", "jan"],
    domains: [],
    flags: localFlags,
  },
];
