import { type OpenAIResponsesCompat, resolveCompat } from "../../compat.ts";
import type { Model } from "../../types.ts";

/** Servers that take the Responses API without OpenAI's own additions. */
const plainServers = new Set(["deepseek", "lmstudio", "ollama", "llamacpp", "vllm", "sglang"]);
const openaiHosts = /(^|\.)(openai\.com|openai\.azure\.com|cognitiveservices\.azure\.com)$/i;
const openaiProviders = new Set(["openai", "openai-codex", "azure", "azure-openai"]);

/** What a Responses endpoint takes: detected by provider and host, overridden by the model's own flags. */
export function compatFor(model: Model): OpenAIResponsesCompat {
  const host = hostOf(model.baseUrl);
  const isOpenAI = openaiProviders.has(model.provider) || openaiHosts.test(host);
  const isRouter = model.provider === "openrouter" || /(^|\.)openrouter\.ai$/i.test(host);
  const isPlain = plainServers.has(model.provider);
  const detected: OpenAIResponsesCompat = {
    supportsDeveloperRole: !isPlain,
    supportsMidConvoSystemMessages: false,
    sessionAffinityFormat: isRouter ? "openrouter" : "openai",
    promptCacheKeyMode: "auto",
    supportsLongCacheRetention: true,
    supportsStrictMode: false,
    supportsOpenAIGrammarTools: false,
    supportsAdditionalTools: false,
    supportsToolSearch: false,
    supportsExplicitPromptCacheMode: false,
    supportsMaxOutputTokens: true,
    supportsMidConvoEffort: false,
    supportsTemperature: !(isOpenAI && model.reasoning),
    supportsEncryptedReasoning: !isPlain,
    supportsBackground: isOpenAI,
  };
  return resolveCompat(detected, model.compat as Partial<OpenAIResponsesCompat> | undefined);
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
}
