import { requestKey } from "../api-key.ts";
import { keepingFailedResponse } from "../failed-response.ts";
import { mergeHeaders } from "../models.ts";
import type { Attempt } from "../send.ts";
import type { Headers, Model, ProviderRequestOptions } from "../types.ts";
import { loadOpenAI } from "./openai-sdk.ts";

/** Who we are, and not on what machine we run, of which the SDK tells in its own headers. */
const identityHeaders: Headers = {
  "user-agent": "Rill",
  "x-stainless-lang": null,
  "x-stainless-package-version": null,
  "x-stainless-os": null,
  "x-stainless-arch": null,
  "x-stainless-runtime": null,
  "x-stainless-runtime-version": null,
  "x-stainless-retry-count": null,
  "x-stainless-timeout": null,
};

/** Our own guard watches the time, so the SDK's limit lies beyond any of ours. */
const noTimeoutMs = 2 ** 31 - 1;

/** Headers of a request in the order of their layers, the later ones win. @throws when there is nothing to sign with */
function headersFor(
  model: Model,
  options: ProviderRequestOptions,
  hostHeaders: Headers,
): { headers: Headers; apiKey: string | undefined } {
  const given = mergeHeaders(hostHeaders, model.headers, options.headers);
  const apiKey = requestKey(model, options.apiKey, given, ["authorization", "api-key"]);
  return { headers: mergeHeaders(identityHeaders, given), apiKey };
}

/** Throws when a request could not be signed (P-271). */
export function requireKey(model: Model, options: ProviderRequestOptions): void {
  headersFor(model, options, {});
}

/**
 * Sends one attempt of a request through OpenAI's SDK and gives the raw response, its body unread.
 * @param hostHeaders headers of this host or session, before those of the model and of the request
 * @throws what the SDK throws when no answer comes
 */
export async function sendThroughOpenAI(
  call: { method: "get" | "post"; path: `/${string}`; body?: unknown },
  model: Model,
  options: ProviderRequestOptions,
  attempt: Attempt,
  hostHeaders: Headers = {},
): Promise<Response> {
  const { headers, apiKey } = headersFor(model, options, hostHeaders);
  const OpenAI = await loadOpenAI();
  const { baseURL, defaultQuery } = splitAddress(model.baseUrl);
  return keepingFailedResponse(attempt.fetch, (fetch) => {
    const client = new OpenAI({
      // Everything is given, so that nothing of the SDK's own environment variables goes to another host.
      apiKey: apiKey ?? "none",
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL,
      defaultQuery,
      maxRetries: 0,
      timeout: noTimeoutMs,
      logLevel: "off",
      dangerouslyAllowBrowser: true,
      fetch,
    });
    return client[call.method](call.path, {
      ...(call.body !== undefined && { body: call.body }),
      stream: true,
      signal: attempt.signal,
      headers: apiKey === undefined ? mergeHeaders({ authorization: null }, headers) : headers,
    }).asResponse();
  });
}

/** An address may carry a query (Azure's `api-version`), behind which the SDK would put its path. */
function splitAddress(url: string): {
  baseURL: string;
  defaultQuery: Record<string, string> | undefined;
} {
  const [address = "", query] = url.split("?", 2);
  return {
    baseURL: address.replace(/\/+$/, ""),
    defaultQuery: query ? Object.fromEntries(new URLSearchParams(query)) : undefined,
  };
}
