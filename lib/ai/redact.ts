const secretHeader =
  /^(authorization|proxy-authorization|x-api-key|x-goog-api-key|api-key|cookie|set-cookie|x-provider-key)$|token|secret|password/i;
const secretQuery = /^(key|api[-_]?key|access_token|token|sig|signature)$/i;

/** Headers as a plain object with lower-case names; what would give a secret away says so instead. */
export function redactHeaders(headers: HeadersInit | undefined): Record<string, string> {
  const result: Record<string, string> = {};
  new Headers(headers).forEach((value, name) => {
    result[name] = secretHeader.test(name) ? "[redacted]" : value;
  });
  return result;
}

/** The address without user name, password and key parameters. */
export function redactUrl(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.username || parsed.password) {
      parsed.username = "";
      parsed.password = "";
    }
    for (const name of [...parsed.searchParams.keys()]) {
      if (secretQuery.test(name)) parsed.searchParams.set(name, "redacted");
    }
    return parsed.toString();
  } catch {
    return "(not a URL)";
  }
}

const keyShapes =
  /\b(sk-[A-Za-z0-9_-]{12,}|AIza[A-Za-z0-9_-]{20,}|gsk_[A-Za-z0-9]{16,}|xai-[A-Za-z0-9]{16,}|hf_[A-Za-z0-9]{16,}|nvapi-[A-Za-z0-9_-]{16,}|Bearer\s+[A-Za-z0-9._~+/=-]{8,})/g;

/** Text without the given key, its long parts, or anything in the shape of a vendor's key. */
export function redactText(text: string, apiKey?: string): string {
  let result = text;
  if (apiKey && apiKey.length >= 6) result = result.split(apiKey).join("[redacted]");
  return result.replace(keyShapes, "[redacted]");
}
