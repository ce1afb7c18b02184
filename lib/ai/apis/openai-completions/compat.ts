import { isLocalUrl } from "../../api-key.ts";
import { type OpenAICompletionsCompat, resolveCompat } from "../../compat.ts";
import type { Model } from "../../types.ts";
import { type KnownHost, knownHosts, localFlags, unknownFlags } from "./hosts.ts";

const defaults: OpenAICompletionsCompat = {
  supportsStore: true,
  supportsDeveloperRole: false,
  supportsReasoningEffort: true,
  supportsUsageInStreaming: true,
  supportsFinishReason: true,
  maxTokensField: "max_completion_tokens",
  requiresToolResultName: false,
  requiresAssistantAfterToolResult: false,
  requiresNonNullAssistantContent: false,
  requiresToolsWithToolHistory: false,
  requiresThinkingAsText: false,
  requiresReasoningContentOnAssistantMessages: false,
  requiresShortToolCallIds: false,
  thinkingFormat: "openai",
  chatTemplateKwargs: {},
  chatTemplateArgs: {},
  openRouterRouting: {},
  vercelGatewayRouting: {},
  zaiToolStream: false,
  supportsThinkingTokenBudget: false,
  supportsStrictMode: false,
  supportsOpenAIGrammarTools: false,
  supportsMidConvoSystemMessages: false,
  supportsMidConvoToolAdditions: false,
  supportsTemperature: true,
  sendSessionAffinityHeaders: false,
  sessionAffinityFormat: "openai",
  promptCacheKeyMode: "auto",
  supportsLongCacheRetention: true,
  inlineThinkTags: false,
};

/** The flags of a model's host: what the model sets, else what is known of its address or its provider. */
export function completionsCompat(model: Model): OpenAICompletionsCompat {
  return resolveCompat(detect(model), model.compat as Partial<OpenAICompletionsCompat> | undefined);
}

function detect(model: Model): OpenAICompletionsCompat {
  const flags = hostOf(model)?.flags ?? (isLocalUrl(model.baseUrl) ? localFlags : unknownFlags);
  const detected: OpenAICompletionsCompat = { ...defaults, ...flags };
  // OpenAI's reasoning models answer 400 to any temperature but their own.
  if (isOpenAIHost(model) && model.reasoning) detected.supportsTemperature = false;
  if (isHost(model, "openrouter") && model.id.startsWith("anthropic/")) {
    detected.cacheControlFormat = "anthropic";
  }
  return detected;
}

export function isOpenAIHost(model: Model): boolean {
  return isHost(model, "openai");
}

/** Whether a model is served by the known host that has this provider id. */
export function isHost(model: Model, provider: string): boolean {
  return hostOf(model)?.providers.includes(provider) ?? false;
}

/** A request asks for its host a dozen times. */
const found = new WeakMap<Model, { baseUrl: string; host: KnownHost | undefined }>();

function hostOf(model: Model): KnownHost | undefined {
  const before = found.get(model);
  if (before?.baseUrl === model.baseUrl) return before.host;
  const host = findHost(model);
  found.set(model, { baseUrl: model.baseUrl, host });
  return host;
}

/** The address counts before the provider's id, since a person may point a provider elsewhere. */
function findHost(model: Model): KnownHost | undefined {
  const name = hostName(model.baseUrl);
  return (
    knownHosts.find(({ domains }) =>
      domains.some((domain) => name === domain || name.endsWith(`.${domain}`)),
    ) ?? knownHosts.find(({ providers }) => providers.includes(model.provider))
  );
}

function hostName(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
}
