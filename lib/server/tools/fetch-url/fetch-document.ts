/** Gets a document that a model asked for: only from public hosts, on every hop, within limits of size and time. */

import { guardedFetch } from "../../outbound";
import { readBody } from "./read-body";

export interface FetchedDocument {
  /** Where the document was after all redirects. */
  url: string;
  status: number;
  /** Lower case, without parameters. "" when the server did not say. */
  mediaType: string;
  charset?: string;
  body: Uint8Array;
  /** The document is longer than what was read. */
  cut: boolean;
}

export interface FetchDocumentOptions {
  /** Must check each address while it connects. Default: public addresses only. */
  fetch?: typeof globalThis.fetch;
  /** Longest body that is read, in bytes. */
  maxBytes?: number;
  maxRedirects?: number;
  /** The media types that are asked for. Default: text above all. */
  accept?: string;
}

const defaultMaxBytes = 8 * 1024 * 1024;
const defaultMaxRedirects = 5;
const longestAddress = 4000;
const redirects = new Set([301, 302, 303, 307, 308]);

const acceptText = "text/html,application/xhtml+xml,text/*;q=0.9,application/json;q=0.9,*/*;q=0.5";
const headers = {
  "accept-language": "en,*;q=0.5",
  "user-agent": "Rill/1 (+fetch_url)",
};

/** @throws Error with a sentence that a model can act on */
export async function fetchDocument(
  address: string,
  signal: AbortSignal,
  options: FetchDocumentOptions = {},
): Promise<FetchedDocument> {
  const { maxBytes = defaultMaxBytes, maxRedirects = defaultMaxRedirects } = options;
  const { accept = acceptText } = options;
  const fetch = options.fetch ?? guardedFetch("public");
  let url = checkedUrl(address);
  for (let hop = 0; ; hop++) {
    const response = await get(fetch, url, accept, signal);
    const location = response.headers.get("location");
    if (!redirects.has(response.status) || !location) {
      return { url: url.href, ...(await readDocument(response, maxBytes)) };
    }
    await response.body?.cancel().catch(() => {});
    if (hop >= maxRedirects) throw new Error(`More than ${maxRedirects} redirects: given up.`);
    url = checkedUrl(location, url);
  }
}

/**
 * An address that may be asked for, as far as its text can tell; names are checked when they are connected to.
 * @throws Error
 */
export function checkedUrl(address: string, base?: URL): URL {
  const what = base ? `The redirect from ${base.host}` : "The address";
  if (address.length > longestAddress || !URL.canParse(address, base)) {
    throw new Error(`${what} is not a valid URL.`);
  }
  const url = new URL(address, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new Error(`${what} is refused: only http and https are allowed.`);
  }
  if (url.username || url.password) {
    throw new Error(`${what} is refused: it contains a user name or password.`);
  }
  url.hash = "";
  return url;
}

async function get(
  fetch: typeof globalThis.fetch,
  url: URL,
  accept: string,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { ...headers, accept },
      signal,
      redirect: "manual",
      credentials: "omit",
    });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new Error(`${url.host} cannot be fetched: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "there is no such host.";
  if (code === "ECONNREFUSED") return "nothing answers there.";
  if (code === "ECONNRESET") return "the connection broke.";
  return typeof message === "string" && message ? message : "the connection failed.";
}

async function readDocument(
  response: Response,
  maxBytes: number,
): Promise<Omit<FetchedDocument, "url">> {
  const contentType = response.headers.get("content-type") ?? "";
  const [type = "", ...parameters] = contentType.split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(parameter)?.[1])
    .find((name) => name !== undefined);
  const { body, cut } = await readBody(response, maxBytes);
  return {
    status: response.status,
    mediaType: type.trim().toLowerCase(),
    ...(charset && { charset }),
    body,
    cut,
  };
}
