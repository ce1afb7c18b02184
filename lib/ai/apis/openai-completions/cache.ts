import { resolveCacheRetention } from "../../cache-retention.ts";
import type { OpenAICompletionsCompat } from "../../compat.ts";
import type { Headers, Model } from "../../types.ts";
import { isOpenAIHost } from "./compat.ts";
import type { WireMessage, WirePart } from "./messages.ts";
import type { CompletionsOptions } from "./options.ts";
import type { WireTool } from "./tools.ts";

/** The fields that let a host find the prompt of the turn before in its cache. */
export function cacheFields(
  model: Model,
  options: CompletionsOptions,
  compat: OpenAICompletionsCompat,
): Record<string, unknown> {
  const retention = resolveCacheRetention(options);
  if (retention === "none") return {};
  const long = retention === "long" && compat.supportsLongCacheRetention;
  const mode = compat.promptCacheKeyMode;
  const keyed = mode === "enabled" || (mode === "auto" && (isOpenAIHost(model) || long));
  return {
    ...(keyed && options.sessionId && { prompt_cache_key: options.sessionId }),
    ...(long && { prompt_cache_retention: "24h" }),
  };
}

/** Headers that bring the turns of one session to the same machine. */
export function affinityHeaders(
  options: CompletionsOptions,
  compat: OpenAICompletionsCompat,
): Headers {
  const { sessionId } = options;
  if (!sessionId || !compat.sendSessionAffinityHeaders) return {};
  if (resolveCacheRetention(options) === "none") return {};
  const affinity = { "x-client-request-id": sessionId, "x-session-affinity": sessionId };
  switch (compat.sessionAffinityFormat) {
    case "openrouter":
      return { "x-session-id": sessionId };
    case "openai":
      return { session_id: sessionId, ...affinity };
    case "openai-nosession":
      return affinity;
  }
}

/** Marks the first system message, the last tool and the last text as ends of what may be cached (Anthropic's models). */
export function markForCache(
  messages: WireMessage[],
  tools: WireTool[] | undefined,
  options: CompletionsOptions,
  compat: OpenAICompletionsCompat,
): void {
  const retention = resolveCacheRetention(options);
  if (compat.cacheControlFormat !== "anthropic" || retention === "none") return;
  const marker = {
    type: "ephemeral",
    ...(retention === "long" && compat.supportsLongCacheRetention && { ttl: "1h" }),
  };
  const lastTool = tools?.at(-1);
  if (lastTool) lastTool.cache_control = marker;
  const system = messages.find(({ role }) => role === "system" || role === "developer");
  if (system) markLastText(system, marker);
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as WireMessage;
    if (message.role !== "user" && message.role !== "assistant") continue;
    if (markLastText(message, marker)) return;
  }
}

function markLastText(message: WireMessage, marker: object): boolean {
  if (message.role === "tool" || !message.content) return false;
  if (typeof message.content === "string") {
    message.content = [{ type: "text", text: message.content, cache_control: marker }];
    return true;
  }
  const text = message.content.findLast(
    (part): part is Extract<WirePart, { type: "text" }> => part.type === "text",
  );
  if (text) text.cache_control = marker;
  return text !== undefined;
}
