import type { CacheRetention, StreamOptions } from "./types.ts";

/** How long a vendor may keep the prompt: as asked, else `long` when RILL_CACHE_RETENTION says so, else `short`. */
export function resolveCacheRetention(
  options: Pick<StreamOptions, "cacheRetention" | "env">,
): CacheRetention {
  if (options.cacheRetention) return options.cacheRetention;
  return options.env?.RILL_CACHE_RETENTION?.trim() === "long" ? "long" : "short";
}
