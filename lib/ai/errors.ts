import { redactText } from "./redact.ts";
import type { Diagnostic, ErrorClass } from "./types.ts";

/** A failure that a vendor told, or that we found in what it sent. */
export class ProviderError extends Error {
  readonly status?: number;
  readonly code?: string | number;
  readonly errorClass?: ErrorClass;
  readonly requestId?: string;
  readonly retryAfterMs?: number;
  /** What the vendor says of trying again, if it does. */
  readonly shouldRetry?: boolean;
  readonly body?: string;

  constructor(
    message: string,
    details: {
      status?: number;
      code?: string | number;
      errorClass?: ErrorClass;
      requestId?: string;
      retryAfterMs?: number;
      shouldRetry?: boolean;
      body?: string;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = "ProviderError";
    this.status = details.status;
    this.code = details.code;
    this.errorClass = details.errorClass;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
    this.shouldRetry = details.shouldRetry;
    this.body = details.body;
  }
}

const maxBodyChars = 4000;

type Loose = Record<string, unknown>;
const isRecord = (value: unknown): value is Loose => typeof value === "object" && value !== null;
const isPlain = (value: unknown): value is Loose =>
  isRecord(value) &&
  !Array.isArray(value) &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null);

/** The HTTP status that an error carries (P-210). */
export function errorStatus(error: unknown): number | undefined {
  if (!isRecord(error)) return undefined;
  const nested = (key: string, inner: string): unknown =>
    isRecord(error[key]) ? (error[key] as Loose)[inner] : undefined;
  for (const candidate of [
    error.statusCode,
    error.status,
    nested("$metadata", "httpStatusCode"),
    nested("$response", "statusCode"),
  ]) {
    if (typeof candidate === "number" && candidate > 0) return candidate;
  }
  return undefined;
}

/** The body that an error carries, as text (P-211). */
function errorBody(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined;
  if (typeof error.body === "string" && error.body.trim()) return error.body.trim();
  if (isPlain(error.error) && Object.keys(error.error).length > 0) return stringify(error.error);
  // xAI's error is the sentence itself.
  if (typeof error.error === "string" && error.error.trim()) return error.error.trim();
  const response = isRecord(error.$response) ? error.$response.body : undefined;
  if (typeof response === "string" && response.trim()) return response.trim();
  if (isPlain(response) && Object.keys(response).length > 0) return stringify(response);
  return undefined;
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** An HTML page reduced to its title, or undefined when the text is not HTML (P-406). */
export function htmlTitle(text: string): string | undefined {
  if (!/^\s*(<!doctype html|<html|<head|<body)/i.test(text)) return undefined;
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.replace(/\s+/g, " ").trim();
  return title ? `an HTML page: ${title}` : "an HTML page";
}

/** The vendor's own sentence inside an error body, if there is one. */
export function vendorMessage(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (Array.isArray(body)) return vendorMessage(body[0]);
  if (!isRecord(body)) return undefined;
  const inner = body.error ?? body.errors ?? body;
  if (typeof inner === "string") return inner;
  if (Array.isArray(inner)) return vendorMessage(inner[0]);
  if (isRecord(inner)) {
    if (typeof inner.message === "string") return inner.message;
    if (typeof inner.detail === "string") return inner.detail;
    if (isRecord(inner.detail)) return vendorMessage(inner.detail);
    if (Array.isArray(inner.detail)) return stringify(inner.detail);
  }
  return typeof body.message === "string" ? body.message : undefined;
}

function cut(text: string): string {
  return text.length <= maxBodyChars
    ? text
    : `${text.slice(0, maxBodyChars)}… (${text.length - maxBodyChars} more characters)`;
}

function deepestCause(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 5; depth++) {
    if (!isRecord(current) || current.cause === undefined) break;
    current = current.cause;
  }
  return current === error ? undefined : current;
}

/** One text for any thrown value (P-210 to P-216). */
export function describeError(error: unknown, prefix?: string): string {
  if (!isRecord(error)) return typeof error === "string" ? error : stringify(error);
  const own = error instanceof Error ? error.message : undefined;
  const status = errorStatus(error);
  const rawBody = errorBody(error);
  const body = rawBody && cut(htmlTitle(rawBody) ?? bodySentence(rawBody) ?? rawBody);
  let text: string;
  // Some SDKs put the whole body into the message; then the vendor's sentence alone is told.
  const holdsJson = own !== undefined && body !== rawBody && /\{\s*"/.test(own);
  if (own !== undefined && body && own.includes(body) && !holdsJson) text = own;
  else if (body || status !== undefined) {
    // SDKs put the status in front of a body that they could not read.
    const page = own && htmlTitle(own.replace(/^\d{3}\s+/, ""));
    const detail = body ?? (own ? (page ?? cut(own)) : "no further details");
    const repeated = status !== undefined && detail.startsWith(String(status));
    const head = prefix
      ? status === undefined
        ? prefix
        : `${prefix} (${status})`
      : status === undefined || repeated
        ? undefined
        : String(status);
    text = head ? `${head}: ${detail}` : detail;
  } else {
    text = own || stringify(error);
    const cause = deepestCause(error);
    if (cause !== undefined) {
      const causeText = cause instanceof Error ? cause.message : stringify(cause);
      if (causeText && !text.includes(causeText)) text = `${text} (${causeText})`;
      const code = isRecord(cause) ? cause.code : undefined;
      if (typeof code === "string" && !text.includes(code)) text = `${text} [${code}]`;
    }
  }
  const raw = routerRaw(error);
  if (raw && !text.includes(raw)) text = `${text}\n${cut(raw)}`;
  return text;
}

/** What a JSON body says in the vendor's own words; people are better served by it than by the JSON. */
function bodySentence(body: string): string | undefined {
  try {
    return vendorMessage(JSON.parse(body))?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The codes and types in a failed body, which say more than its sentence. */
function bodyCodes(error: unknown): string {
  const found = (errorBody(error) ?? "")
    .slice(0, maxBodyChars)
    .matchAll(/"(?:code|type)"\s*:\s*"([\w.-]+)"/g);
  return [...found].map((match) => match[1]).join(" ");
}

function parsedBody(error: Loose): Loose | undefined {
  try {
    const parsed: unknown = JSON.parse(errorBody(error) ?? "");
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** OpenRouter puts the upstream vendor's own words into `error.metadata.raw` (P-216). */
function routerRaw(error: Loose): string | undefined {
  const parsed = isRecord(error.error) ? error : parsedBody(error);
  const inner = isRecord(parsed?.error) ? parsed.error : undefined;
  const metadata = inner && isRecord(inner.metadata) ? inner.metadata : undefined;
  return typeof metadata?.raw === "string" ? metadata.raw : undefined;
}

const overflowText =
  /context[ _-]?(length|window|limit|size)|maximum context|too[ _]many[ _](input[ _]|prompt[ _])?tokens|prompt is too long|input is too long|exceeds? the (model'?s )?(maximum|limit|context)|token limit|reduce the length|n_ctx|model_context_window_exceeded/i;
const throttleText =
  /rate.?limit|throttl|too many requests|tokens per (minute|day|second)|\bTPM\b|\bRPM\b/i;
const quotaText =
  /quota|billing|insufficient.{0,12}(funds|balance|credit)|credit balance|payment required|out of credits|usage limit|spend(ing)? limit|requires more credits/i;
const authText =
  /api.?key|unauthori[sz]ed|authentication|permission|forbidden|invalid.{0,10}token|credentials/i;
const networkText =
  /fetch failed|network|connection|socket|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR|terminated|getaddrinfo/i;
const filterText =
  /content.?(filter|policy|management)|safety|blocked|moderation|flagged|recitation|prohibited|responsible ai/i;
const overloadText = /overloaded|overload|capacity|unavailable|try again later|ResourceExhausted/i;

/** The class of a failure from its status, code and text; the UI chooses its advice by it (P-406). */
export function classifyError(error: unknown, text: string): ErrorClass {
  if (error instanceof ProviderError && error.errorClass) return error.errorClass;
  const status = errorStatus(error);
  const name = error instanceof Error ? error.name : "";
  if (name === "TimeoutError" || /timed? ?out/i.test(text)) return "timeout";
  const throttled = throttleText.test(text);
  if (overflowText.test(text) && !throttled && (status === undefined || status < 429)) {
    return "context-overflow";
  }
  if (status === 402 || (quotaText.test(text) && !/per (minute|second)/i.test(text)))
    return "quota";
  if (status === 429 || (status === undefined && throttled)) return "rate-limit";
  if (status === 401 || status === 403)
    return status === 403 && filterText.test(text) && !authText.test(text)
      ? "content-filter"
      : "auth";
  if (status === 404) return "not-found";
  if (status === 413) return "context-overflow";
  if (status === 503 || status === 529 || overloadText.test(text)) return "overloaded";
  if (status !== undefined && status >= 500) return "overloaded";
  if (status === 400 && /api.?key/i.test(text)) return "auth";
  if (
    status === 400 &&
    /model.{0,40}(not (found|exist)|does not exist|invalid\b)|invalid model/i.test(text)
  )
    return "not-found";
  if (filterText.test(text)) return "content-filter";
  if (status !== undefined && status >= 400) return "invalid-request";
  if (networkText.test(text)) return "network";
  if (authText.test(text)) return "auth";
  return "unknown";
}

function headerOf(error: unknown, name: string): string | undefined {
  if (!isRecord(error)) return undefined;
  const headers = error.headers;
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  if (isRecord(headers)) {
    const value = headers[name] ?? headers[name.toLowerCase()];
    return typeof value === "string" ? value : undefined;
  }
  return undefined;
}

/**
 * The wait that a vendor asks for, in ms: `retry-after-ms`, `retry-after` in seconds or as a date, or RetryInfo in a Google
 * body (P-224).
 */
export function retryAfterMs(error: unknown, now = Date.now()): number | undefined {
  if (error instanceof ProviderError && error.retryAfterMs !== undefined) return error.retryAfterMs;
  const exact = Number.parseFloat(headerOf(error, "retry-after-ms") ?? "");
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const header = headerOf(error, "retry-after");
  if (header) {
    const seconds = Number(header);
    if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
    const date = Date.parse(header);
    if (Number.isFinite(date)) return Math.max(0, date - now);
  }
  const info = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(
    (isRecord(error) && (errorBody(error) ?? (error instanceof Error ? error.message : ""))) || "",
  );
  return info ? Number.parseFloat(info[1] as string) * 1000 : undefined;
}

/** A header or body that says outright whether to try again (P-222). */
export function shouldRetryHeader(error: unknown): boolean | undefined {
  if (error instanceof ProviderError) return error.shouldRetry;
  const value = headerOf(error, "x-should-retry");
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** Everything a failed message says of its failure: text for people, class and figures for the UI. No secrets (P-217). */
export function failureOf(
  error: unknown,
  options: { apiKey?: string; prefix?: string; attempt?: number; now?: number } = {},
): { errorMessage: string; diagnostic: Diagnostic } {
  const text = redactText(describeError(error, options.prefix), options.apiKey).trim();
  const errorMessage = text || "The request failed without a message.";
  const status = errorStatus(error);
  const code =
    error instanceof ProviderError
      ? error.code
      : isRecord(error) && (typeof error.code === "string" || typeof error.code === "number")
        ? error.code
        : undefined;
  const requestId =
    error instanceof ProviderError
      ? error.requestId
      : (headerOf(error, "x-request-id") ??
        headerOf(error, "request-id") ??
        (isRecord(error) && typeof error.requestID === "string" ? error.requestID : undefined));
  const wait = retryAfterMs(error);
  const diagnostic: Diagnostic = {
    type: "failure",
    timestamp: options.now ?? Date.now(),
    error: {
      name: error instanceof Error ? error.name : "ThrownValue",
      message: errorMessage.slice(0, 500),
      ...(code !== undefined && { code }),
    },
    details: {
      class: classifyError(error, `${errorMessage} ${bodyCodes(error)}`),
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      ...(requestId !== undefined && { requestId }),
      ...(wait !== undefined && { retryAfterMs: wait }),
      ...(options.attempt !== undefined && { attempt: options.attempt }),
    },
  };
  return { errorMessage, diagnostic };
}
