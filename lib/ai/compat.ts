/**
 * What an endpoint takes and what it does not: the flags of each wire API. Detected from the host by the adapter's
 * `compat` room; a flag that a model sets wins over detection, an explicit `undefined` falls back to it.
 */

import type { Api } from "./types.ts";

export type ThinkingFormat =
  | "openai"
  | "openrouter"
  | "deepseek"
  | "zai"
  | "together"
  | "qwen"
  | "qwen-chat-template"
  | "chat-template"
  | "baseten"
  | "string-thinking"
  | "ant-ling";

export type SessionAffinityFormat = "openai" | "openai-nosession" | "openrouter";
export type PromptCacheKeyMode = "auto" | "enabled" | "disabled";

/** A value of a chat template: given as it is, or taken from the request. */
export type TemplateValue =
  | string
  | number
  | boolean
  | { $var: "enabled" | "effort" | "budget"; omitWhenOff?: boolean };

export interface OpenAICompletionsCompat {
  supportsStore: boolean;
  supportsDeveloperRole: boolean;
  supportsReasoningEffort: boolean;
  supportsUsageInStreaming: boolean;
  supportsFinishReason: boolean;
  maxTokensField: "max_tokens" | "max_completion_tokens";
  requiresToolResultName: boolean;
  requiresAssistantAfterToolResult: boolean;
  requiresNonNullAssistantContent: boolean;
  requiresToolsWithToolHistory: boolean;
  requiresThinkingAsText: boolean;
  requiresReasoningContentOnAssistantMessages: boolean;
  /** Tool-call ids of exactly nine letters and digits (Mistral). */
  requiresShortToolCallIds: boolean;
  thinkingFormat: ThinkingFormat;
  chatTemplateKwargs: Record<string, TemplateValue>;
  chatTemplateArgs: Record<string, TemplateValue>;
  openRouterRouting: Record<string, unknown>;
  vercelGatewayRouting: Record<string, unknown>;
  zaiToolStream: boolean;
  thinkingTokenBudgetField?: string;
  supportsThinkingTokenBudget: boolean;
  supportsStrictMode: boolean;
  supportsOpenAIGrammarTools: boolean;
  supportsMidConvoSystemMessages: boolean;
  supportsMidConvoToolAdditions: boolean;
  supportsTemperature: boolean;
  cacheControlFormat?: "anthropic";
  sendSessionAffinityHeaders: boolean;
  sessionAffinityFormat: SessionAffinityFormat;
  promptCacheKeyMode: PromptCacheKeyMode;
  supportsLongCacheRetention: boolean;
  vllmPriority?: number;
  /** Thinking arrives inside `<think>` tags at the start of the content. */
  inlineThinkTags: boolean;
}

export interface OpenAIResponsesCompat {
  supportsDeveloperRole: boolean;
  supportsMidConvoSystemMessages: boolean;
  sessionAffinityFormat: SessionAffinityFormat;
  promptCacheKeyMode: PromptCacheKeyMode;
  supportsLongCacheRetention: boolean;
  supportsStrictMode: boolean;
  supportsOpenAIGrammarTools: boolean;
  supportsAdditionalTools: boolean;
  supportsToolSearch: boolean;
  supportsExplicitPromptCacheMode: boolean;
  supportsMaxOutputTokens: boolean;
  supportsMidConvoEffort: boolean;
  supportsTemperature: boolean;
  supportsEncryptedReasoning: boolean;
  supportsBackground: boolean;
}

export interface AnthropicMessagesCompat {
  supportsEagerToolInputStreaming: boolean;
  supportsLongCacheRetention: boolean;
  sendSessionAffinityHeaders: boolean;
  sessionAffinityFormat: SessionAffinityFormat;
  supportsCacheControlOnTools: boolean;
  supportsTemperature: boolean;
  forceAdaptiveThinking?: boolean;
  allowEmptySignature: boolean;
  supportsStrictTools: boolean;
  supportsMidConvoEffort?: boolean;
  supportsMidConvoSystemMessages: boolean;
  supportsMidConvoToolChanges: boolean;
  supportsMessageThreads: boolean;
  allowedFallbackModels?: { provider: string; model: string; cost?: Record<string, unknown> }[];
}

export interface GoogleGenerativeAICompat {
  /** Calls and results carry ids. */
  toolCallIds: boolean;
  /** Thinking is set by level; otherwise by a token budget. */
  thinkingLevels: boolean;
  /** Images of a tool result go inside the function response. */
  imagesInFunctionResponse: boolean;
  /** Replayed calls of the current turn must carry a signature. */
  requiresThoughtSignature: boolean;
  /** Takes the mode that holds arguments to the schema. */
  supportsValidatedMode: boolean;
  supportsThinking: boolean;
}

interface CompatByApi {
  "openai-completions": OpenAICompletionsCompat;
  "openai-responses": OpenAIResponsesCompat;
  "anthropic-messages": AnthropicMessagesCompat;
  "google-generative-ai": GoogleGenerativeAICompat;
}

/** The flags that a model may set for its api. */
export type Compat<TApi extends Api = Api> = TApi extends keyof CompatByApi
  ? Partial<CompatByApi[TApi]>
  : Record<string, unknown>;

/** Detected flags, overridden by those that the model sets. */
export function resolveCompat<T extends object>(detected: T, set: Partial<T> | undefined): T {
  const result = { ...detected };
  for (const key of Object.keys(set ?? {}) as (keyof T)[]) {
    const value = set?.[key];
    if (value !== undefined) result[key] = value;
  }
  return result;
}
