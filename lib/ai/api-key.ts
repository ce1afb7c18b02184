import { ProviderError } from "./errors.ts";
import type { Headers, Model } from "./types.ts";

/** Whether an address lies on the person's own machine or network, where servers seldom ask for a key. */
export function isLocalUrl(url: string): boolean {
  let host: string;
  try {
    host = new URL(url).hostname;
  } catch {
    return false;
  }
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host.endsWith(".local") ||
    host === "[::1]" ||
    host === "0.0.0.0" ||
    /^(127|10)\./.test(host) ||
    /^192\.168\./.test(host) ||
    /^172\.(1[6-9]|2\d|3[01])\./.test(host)
  );
}

/**
 * The key to sign a request with. undefined: the request goes without one, because a header of the caller's stands in for
 * it or because the host is local.
 * @param credentialHeaders lower-case names of headers that this api takes instead of a key
 * @throws ProviderError when there is nothing to sign with (P-271)
 */
export function requestKey(
  model: Model,
  apiKey: string | undefined,
  headers: Headers,
  credentialHeaders: readonly string[],
): string | undefined {
  const key = apiKey?.trim();
  if (key) return key;
  if (credentialHeaders.some((name) => headers[name]?.trim())) return undefined;
  if (isLocalUrl(model.baseUrl)) return undefined;
  throw new ProviderError(`There is no API key for ${model.provider}.`, { errorClass: "auth" });
}
