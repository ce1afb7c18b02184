import type { AnthropicMessagesCompat } from "../../compat.ts";
import type { CacheRetention } from "../../types.ts";
import type { VendorBlock, VendorMessage } from "./messages.ts";
import type { VendorTool } from "./tools.ts";

export interface CacheControl {
  type: "ephemeral";
  ttl?: "1h";
}

export function cacheControl(
  retention: CacheRetention,
  compat: AnthropicMessagesCompat,
): CacheControl | undefined {
  if (retention === "none") return undefined;
  return retention === "long" && compat.supportsLongCacheRetention
    ? { type: "ephemeral", ttl: "1h" }
    : { type: "ephemeral" };
}

/** Marks where the vendor's cache may end: behind the prompt, the tools and the newest input. Changes what it is given. */
export function markForCache(
  control: CacheControl,
  compat: AnthropicMessagesCompat,
  system: VendorBlock[],
  tools: VendorTool[],
  messages: VendorMessage[],
): void {
  const lastSystem = system.at(-1);
  if (lastSystem) lastSystem.cache_control = control;
  const lastTool = tools.at(-1);
  if (lastTool && compat.supportsCacheControlOnTools) lastTool.cache_control = control;
  const newest = messages.findLast(({ role }) => role !== "assistant")?.content.at(-1);
  if (newest) newest.cache_control = control;
}
