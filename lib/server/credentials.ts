import type { ServerConfig } from "./config";
import { HttpError } from "./errors";

/** Who serves a model, as far as keys go. */
export interface KeyedProvider {
  baseUrl: string;
  /** Environment variables that may hold the key, the first non-blank one counts. */
  env: string[];
}

export interface Credentials {
  apiKey?: string;
  source: "user" | "server" | "none";
}

export const providerKeyHeader = "x-provider-key";

/**
 * The key for a request: the person's own, else the server's. The server's goes only to where the server's own catalog
 * says that the provider lives; with any other address there is none.
 */
export function resolveCredentials(
  userKey: string | undefined,
  provider: KeyedProvider | undefined,
  targetUrl: string,
  config: Pick<ServerConfig, "env">,
): Credentials {
  if (userKey) return { apiKey: userKey, source: "user" };
  if (!provider || !sameOrigin(provider.baseUrl, targetUrl)) return { source: "none" };
  const apiKey = serverKey(provider, config);
  return apiKey ? { apiKey, source: "server" } : { source: "none" };
}

export function serverKey(
  provider: Pick<KeyedProvider, "env">,
  config: Pick<ServerConfig, "env">,
): string | undefined {
  for (const name of provider.env) {
    const value = config.env[name]?.trim();
    if (value) return value;
  }
  return undefined;
}

/** Scheme, host and port: a key for https must not leave over http. */
function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}

/** The key in `X-Provider-Key`, if any. @throws HttpError when it cannot be a header's value */
export function readUserKey(request: Request): string | undefined {
  const key = request.headers.get(providerKeyHeader)?.trim();
  if (!key) return undefined;
  if (key.length > 8192 || !/^[\x21-\x7e]+$/.test(key)) {
    throw new HttpError(
      400,
      "invalid-request",
      "X-Provider-Key: a key is printable ASCII without blanks.",
      "X-Provider-Key",
    );
  }
  return key;
}
