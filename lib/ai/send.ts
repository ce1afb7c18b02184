import {
  errorStatus,
  failureOf,
  ProviderError,
  retryAfterMs,
  shouldRetryHeader,
} from "./errors.ts";
import { redactHeaders, redactUrl } from "./redact.ts";
import { RequestGuard } from "./request-guard.ts";
import type { Model, ProviderRequestOptions } from "./types.ts";

const defaultMaxRetries = 2;
const defaultMaxRetryDelayMs = 60_000;
const firstBackoffMs = 500;
const longestBackoffMs = 8000;

/** What one attempt gets: the signal to pass on, and a fetch that reports what leaves. */
export interface Attempt {
  signal: AbortSignal;
  fetch: typeof globalThis.fetch;
}

/** A response whose body has not been read, and the guard that watches it. */
export interface SentRequest {
  response: Response;
  guard: RequestGuard;
  attempt: number;
}

/**
 * Sends a request until its head arrives: tries again on connection errors, 408, 409, 429 and 5xx, waits as the vendor asks
 * (P-220 to P-229). `send` makes one attempt with the SDK's own retries off and throws what the SDK throws.
 */
export async function sendWithRetry(
  send: (attempt: Attempt) => Promise<Response>,
  model: Model,
  options: ProviderRequestOptions,
): Promise<SentRequest> {
  const maxRetries = Math.max(0, options.maxRetries ?? defaultMaxRetries);
  for (let attempt = 1; ; attempt++) {
    const guard = new RequestGuard(options.signal, options.timeoutMs);
    try {
      const response = await guard.race(
        send({ signal: guard.signal, fetch: reportingFetch(options, attempt) }),
      );
      guard.touch();
      if (!response.ok) throw await errorFromResponse(response);
      return { response, guard, attempt };
    } catch (error) {
      guard.release();
      if (options.signal?.aborted || attempt > maxRetries || !isRetryable(error)) throw error;
      const delayMs = retryDelay(error, attempt, options);
      options.onRetry?.(
        {
          attempt,
          maxRetries,
          delayMs,
          status: errorStatus(error),
          message: failureOf(error, { apiKey: options.apiKey }).errorMessage,
        },
        model,
      );
      await sleep(delayMs, options.signal);
    }
  }
}

function reportingFetch(options: ProviderRequestOptions, attempt: number): typeof globalThis.fetch {
  // A browser's own fetch may not be called as some object's method, and SDKs keep it as one.
  const inner: typeof globalThis.fetch =
    options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  if (!options.onRequest) return inner;
  return (input, init) => {
    const request = input instanceof Request ? input : undefined;
    options.onRequest?.({
      method: init?.method ?? request?.method ?? "GET",
      url: redactUrl(request?.url ?? String(input)),
      headers: redactHeaders(init?.headers ?? request?.headers),
      attempt,
    });
    return inner(input, init);
  };
}

/** For SDKs that hand over a failed response as it is. Reads its body. */
async function errorFromResponse(response: Response): Promise<ProviderError> {
  const body = (await response.text().catch(() => "")).slice(0, 20_000);
  const failure = { status: response.status, headers: response.headers, body };
  const code = /"code"\s*:\s*"([\w.-]+)"/.exec(body)?.[1];
  return new ProviderError(`${response.status} ${response.statusText}`.trim(), {
    status: response.status,
    body,
    code,
    requestId:
      response.headers.get("x-request-id") ?? response.headers.get("request-id") ?? undefined,
    retryAfterMs: retryAfterMs(failure),
    shouldRetry: shouldRetryHeader(failure),
  });
}

function isRetryable(error: unknown): boolean {
  const told = shouldRetryHeader(error);
  if (told !== undefined) return told;
  const status = errorStatus(error);
  if (status === undefined) return !(error instanceof ProviderError) && !isOurFault(error);
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A request that we could not even build does not get better by trying again. */
function isOurFault(error: unknown): boolean {
  return (
    (error instanceof TypeError &&
      !/fetch|network|connect|socket|terminated/i.test(error.message)) ||
    error instanceof SyntaxError ||
    error instanceof RangeError
  );
}

function retryDelay(error: unknown, attempt: number, options: ProviderRequestOptions): number {
  const asked = retryAfterMs(error);
  const cap = options.maxRetryDelayMs ?? defaultMaxRetryDelayMs;
  if (asked !== undefined) {
    if (cap > 0 && asked > cap) {
      const { errorMessage } = failureOf(error, { apiKey: options.apiKey });
      throw new ProviderError(
        `${errorMessage} (The vendor asks to wait ${asked / 1000} s, more than the retry delay limit of ${cap / 1000} s.)`,
        { status: errorStatus(error), retryAfterMs: asked, cause: error },
      );
    }
    return asked;
  }
  const backoff = Math.min(firstBackoffMs * 2 ** (attempt - 1), longestBackoffMs);
  return backoff * (1 - Math.random() * 0.25);
}

function sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
