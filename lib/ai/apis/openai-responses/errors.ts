import { ProviderError } from "../../errors.ts";
import type { ErrorClass } from "../../types.ts";
import { isLoose, type Loose, looseOf, numberOf, textOf } from "./loose.ts";

const classes: Record<string, ErrorClass> = {
  rate_limit_exceeded: "rate-limit",
  insufficient_quota: "quota",
  context_length_exceeded: "context-overflow",
  content_filter: "content-filter",
  invalid_prompt: "content-filter",
  server_error: "overloaded",
  server_overloaded: "overloaded",
  invalid_api_key: "auth",
  model_not_found: "not-found",
};

/**
 * The failure that a vendor tells inside a stream: OpenAI's flat `error` event, one with the details a level down, and what
 * gateways send instead.
 */
export function failureFromEvent(event: Loose): ProviderError {
  const inner = isLoose(event.error) ? event.error : event;
  return failure(
    textOf(inner.message) ?? textOf(event.error) ?? textOf(event.message) ?? textOf(event.detail),
    textOf(inner.code) ?? numberOf(inner.code) ?? specificType(inner),
    textOf(looseOf(inner.metadata).raw),
  );
}

/** The failure that a whole response carries: failed, cancelled, or cut off for another reason than its length. */
export function failureFromResponse(response: Loose, status: string): ProviderError {
  const error = looseOf(response.error);
  const reason = textOf(looseOf(response.incomplete_details).reason);
  const message = textOf(error.message) ?? textOf(response.error);
  if (message === undefined && reason !== undefined) {
    return failure(`The vendor cut the answer off: ${reason}`, undefined, undefined, reason);
  }
  if (message === undefined && status !== "failed") {
    return failure(`The response ended as ${status}.`, undefined);
  }
  return failure(message, textOf(error.code) ?? numberOf(error.code));
}

function specificType(error: Loose): string | undefined {
  const type = textOf(error.type);
  return type === "error" ? undefined : type;
}

function failure(
  message: string | undefined,
  code: string | number | undefined,
  raw?: string,
  reason?: string,
): ProviderError {
  const said = message ?? "The vendor reported a failure without saying which.";
  const text = code !== undefined && !said.includes(String(code)) ? `${code}: ${said}` : said;
  return new ProviderError(raw && !text.includes(raw) ? `${text}\n${raw}` : text, {
    code,
    errorClass: classes[reason ?? String(code)],
  });
}
