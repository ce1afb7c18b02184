import { requestKey } from "../../api-key.ts";
import { resolveCacheRetention } from "../../cache-retention.ts";
import type { AnthropicMessagesCompat } from "../../compat.ts";
import { mergeHeaders } from "../../models.ts";
import type { Headers, Model } from "../../types.ts";
import { isRecord } from "../../vendor-json.ts";
import { isAnthropicHost } from "./compat.ts";
import type { AnthropicOptions } from "./options.ts";

const credentialHeaders = ["authorization", "x-api-key"] as const;

/**
 * Every header that this adapter decides on; null removes one that the SDK would set.
 * @throws ProviderError when there is nothing to sign with
 */
export function requestHeaders(
  model: Model,
  options: AnthropicOptions,
  compat: AnthropicMessagesCompat,
  body: unknown,
): Headers {
  const given = mergeHeaders(model.headers, options.headers);
  const key = requestKey(model, options.apiKey, given, credentialHeaders);
  const betas = requestBetas(body, key);
  return mergeHeaders(
    {
      // Known to every host that speaks this protocol, and its recordings are what this adapter is tested with.
      "anthropic-version": "2023-06-01",
      "anthropic-beta": betas.length > 0 ? betas.join(",") : null,
      "anthropic-dangerous-direct-browser-access": isBrowser() ? "true" : null,
      ...withoutMachineFacts,
      "user-agent": null,
      authorization: null,
      "x-api-key": null,
      ...credentials(model, key),
    },
    affinityHeaders(options, compat),
    given,
  );
}

function credentials(model: Model, key: string | undefined): Headers {
  if (!key) return {};
  const bearer = { authorization: `Bearer ${key}` };
  if (isOAuthToken(key)) return bearer;
  // Some compatible hosts read one, some the other.
  return isAnthropicHost(model.baseUrl) ? { "x-api-key": key } : { "x-api-key": key, ...bearer };
}

function isOAuthToken(key: string): boolean {
  return key.startsWith("sk-ant-oat");
}

function affinityHeaders(options: AnthropicOptions, compat: AnthropicMessagesCompat): Headers {
  if (
    !options.sessionId ||
    !compat.sendSessionAffinityHeaders ||
    resolveCacheRetention(options) === "none"
  ) {
    return {};
  }
  switch (compat.sessionAffinityFormat) {
    case "openrouter":
      return { "x-session-id": options.sessionId };
    case "openai":
    case "openai-nosession":
      return { "x-session-affinity": options.sessionId };
  }
}

/** Features that the vendor still wants to be asked for, by what the body holds. */
function requestBetas(body: unknown, key: string | undefined): string[] {
  if (!isRecord(body)) return [];
  const tools = Array.isArray(body.tools) ? body.tools.filter(isRecord) : [];
  const budgetThinking = isRecord(body.thinking) && body.thinking.type === "enabled";
  return [
    ...(key && isOAuthToken(key) ? ["oauth-2025-04-20"] : []),
    ...(tools.length > 0 && !tools.some((tool) => tool.eager_input_streaming)
      ? ["fine-grained-tool-streaming-2025-05-14"]
      : []),
    ...(tools.length > 0 && budgetThinking ? ["interleaved-thinking-2025-05-14"] : []),
    ...(body.fallbacks ? ["server-side-fallback-2026-07-01"] : []),
  ];
}

/** The SDK tells every host what machine it runs on. */
const withoutMachineFacts: Headers = Object.fromEntries(
  [
    "lang",
    "package-version",
    "os",
    "arch",
    "runtime",
    "runtime-version",
    "retry-count",
    "timeout",
  ].map((fact) => [`x-stainless-${fact}`, null]),
);

function isBrowser(): boolean {
  return typeof window !== "undefined" && typeof window.document !== "undefined";
}
