import { failureOf, ProviderError } from "../errors.ts";

/** One listing: every request of it ends by its deadline, and none reads more than `maxBytes`. */
export interface ListSession {
  fetch: typeof globalThis.fetch;
  headers: Record<string, string>;
  signal: AbortSignal;
  maxBytes: number;
  apiKey: string | undefined;
}

const maxErrorBytes = 64 * 1024;

/**
 * The JSON behind an address. A redirect is a failure: the key is for this host only.
 * @throws ProviderError of class network, timeout or aborted when no answer comes, else of the answer's class
 */
export async function fetchJson(
  session: ListSession,
  url: string,
  post?: unknown,
): Promise<unknown> {
  const { signal, apiKey } = session;
  try {
    const response = await beforeAbort(
      signal,
      session.fetch(url, {
        redirect: "manual",
        signal,
        headers: { ...session.headers, ...(post !== undefined && jsonType) },
        ...(post !== undefined && { method: "POST", body: JSON.stringify(post) }),
      }),
    );
    if (!response.ok) throw await refusal(response, session);
    return parse(await readText(response, session.maxBytes, signal));
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw noAnswer(error, signal, apiKey);
  }
}

const jsonType = { "content-type": "application/json" };

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ProviderError("The answer is not JSON.", { errorClass: "unknown" });
  }
}

async function refusal(response: Response, session: ListSession): Promise<ProviderError> {
  const { status } = response;
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel().catch(() => {});
    const message = "The host answers with a redirect, which is not followed.";
    return new ProviderError(message, { errorClass: "invalid-request" });
  }
  const body = await readText(response, maxErrorBytes, session.signal).catch(() => "");
  const told = new ProviderError(`status ${status}`, { status, body });
  const { errorMessage, diagnostic } = failureOf(told, { apiKey: session.apiKey });
  return new ProviderError(errorMessage, { status, errorClass: diagnostic.details?.class });
}

function noAnswer(error: unknown, signal: AbortSignal, apiKey: string | undefined): ProviderError {
  if (signal.aborted) {
    const late = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
    return late
      ? new ProviderError("The host did not answer in time.", { errorClass: "timeout" })
      : new ProviderError("The request was aborted.", { errorClass: "aborted" });
  }
  const { errorMessage } = failureOf(error, { apiKey });
  return new ProviderError(errorMessage, { errorClass: "network" });
}

/** The promise, or the signal's reason if that comes first: a `fetch` of somebody else's may not heed its signal. */
function beforeAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

async function readText(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await beforeAbort(signal, reader.read());
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > maxBytes) {
        const message = `The answer is larger than ${Math.floor(maxBytes / 1024)} KiB.`;
        throw new ProviderError(message, { errorClass: "unknown" });
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
