export interface ProviderSettings {
  apiKey?: string;
  baseUrl?: string;
}

/**
 * A provider's settings after a change. A key stays with the host that it was saved for: when the base URL moves to
 * another host and no new key comes with it, the old key is dropped. Empty texts take a setting back.
 *
 * @throws Error with a sentence for people; it never quotes the key
 */
export function checkProviderSettings(
  before: ProviderSettings,
  patch: Partial<ProviderSettings>,
): ProviderSettings {
  const baseUrl = "baseUrl" in patch ? checkedBaseUrl(patch.baseUrl) : before.baseUrl;
  const samePlace = originOf(baseUrl) === originOf(before.baseUrl);
  const kept = samePlace ? before.apiKey : undefined;
  const apiKey = "apiKey" in patch ? checkedKey(patch.apiKey) : kept;
  return { ...(apiKey && { apiKey }), ...(baseUrl && { baseUrl }) };
}

/** Scheme, host and port: what was saved for https must not leave in clear. undefined stands for the provider's own. */
function originOf(baseUrl: string | undefined): string | undefined {
  return baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
}

function checkedKey(text: string | undefined): string | undefined {
  const key = text?.trim();
  if (!key) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new Error("An API key has no spaces and no special characters. Copy it once more.");
  }
  return key;
}

function checkedBaseUrl(text: string | undefined): string | undefined {
  const address = text?.trim();
  if (!address) return undefined;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new Error("The base URL must begin with https:// or http://.");
  }
  if (url.username || url.password) {
    throw new Error("The base URL must not hold a user name or password.");
  }
  return address;
}
