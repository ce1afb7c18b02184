import { type AnthropicMessagesCompat, resolveCompat } from "../../compat.ts";
import type { Model } from "../../types.ts";

/** Whether a base URL is the vendor's own; other hosts speak the protocol with a dialect. */
export function isAnthropicHost(baseUrl: string): boolean {
  try {
    return /(^|\.)anthropic\.com$/.test(new URL(baseUrl).hostname);
  } catch {
    return false;
  }
}

/** What an endpoint takes: detected, then overridden by the flags that the model sets. */
export function anthropicCompat(model: Model): AnthropicMessagesCompat {
  const openRouter = model.provider === "openrouter" || /\bopenrouter\.ai\b/.test(model.baseUrl);
  return resolveCompat<AnthropicMessagesCompat>(
    {
      supportsEagerToolInputStreaming: true,
      supportsLongCacheRetention: true,
      sendSessionAffinityHeaders: openRouter,
      sessionAffinityFormat: openRouter ? "openrouter" : "openai",
      supportsCacheControlOnTools: true,
      supportsTemperature: true,
      forceAdaptiveThinking: undefined,
      allowEmptySignature: false,
      supportsStrictTools: false,
      supportsMidConvoEffort: undefined,
      supportsMidConvoSystemMessages: false,
      supportsMidConvoToolChanges: false,
      supportsMessageThreads: false,
      allowedFallbackModels: undefined,
    },
    model.compat as Partial<AnthropicMessagesCompat> | undefined,
  );
}

/**
 * Whether the model decides by itself how long to think and takes an effort, instead of a token budget: Claude from 4.6 on.
 */
export function thinksAdaptively(model: Model, compat: AnthropicMessagesCompat): boolean {
  if (compat.forceAdaptiveThinking !== undefined) return compat.forceAdaptiveThinking;
  const version = /claude-[a-z]+-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/i.exec(model.id);
  if (!version) return false;
  const major = Number(version[1]);
  return major > 4 || (major === 4 && Number(version[2] ?? 0) >= 6);
}
