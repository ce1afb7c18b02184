import type { ResolvedModel } from "./catalog";
import type { ServerConfig } from "./config";
import { HttpError } from "./errors";

const providerKeyHeader = "x-provider-key";

/**
 * The key for a request: the person's own, else the server's. The server's goes only to where the server's own catalog
 * says that the provider lives; for any other address there is none.
 */
export function resolveApiKey(
  userKey: string | undefined,
  resolved: Pick<ResolvedModel, "provider">,
  config: Pick<ServerConfig, "env">,
): string | undefined {
  if (userKey) return userKey;
  return resolved.provider && serverKey(resolved.provider, config);
}

/** The first of the provider's variables that holds something. */
export function serverKey(
  provider: { env: string[] },
  config: Pick<ServerConfig, "env">,
): string | undefined {
  for (const name of provider.env) {
    const value = config.env[name]?.trim();
    if (value) return value;
  }
  return undefined;
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
