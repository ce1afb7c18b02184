import OpenAI from "openai";
import { requestKey } from "../api-key.ts";
import { mergeHeaders } from "../models.ts";
import type { Attempt } from "../send.ts";
import type { Headers, Model, ProviderRequestOptions } from "../types.ts";

/** Headers in which the SDK tells about the machine that it runs on. */
const machineHeaders: Headers = {
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
  return { headers: mergeHeaders(machineHeaders, given), apiKey };
}

/** Throws when a request could not be signed (P-271). */
export function requireKey(model: Model, options: ProviderRequestOptions): void {
  headersFor(model, options, {});
}

/**
 * Sends one attempt of a request through OpenAI's SDK and gives the raw response, its body unread. A failed one is thrown as
 * the SDK throws it, with the body added where the SDK did not understand it.
 * @param hostHeaders headers of this host or session, before those of the model and of the request
 */
export async function sendThroughOpenAI(
  call: { method: "get" | "post"; path: `/${string}`; body?: unknown },
  model: Model,
  options: ProviderRequestOptions,
  attempt: Attempt,
  hostHeaders: Headers = {},
): Promise<Response> {
  const { headers, apiKey } = headersFor(model, options, hostHeaders);
  let failed: Response | undefined;
  const client = new OpenAI({
    // Everything is given, so that nothing of the SDK's own environment variables goes to another host.
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: model.baseUrl,
    maxRetries: 0,
    timeout: noTimeoutMs,
    logLevel: "off",
    dangerouslyAllowBrowser: true,
    fetch: async (input, init) => {
      const response = await attempt.fetch(input, init);
      if (!response.ok) failed = response.clone();
      return response;
    },
  });
  try {
    return await client[call.method](call.path, {
      ...(call.body !== undefined && { body: call.body }),
      stream: true,
      signal: attempt.signal,
      headers: apiKey === undefined ? mergeHeaders({ authorization: null }, headers) : headers,
    }).asResponse();
  } catch (error) {
    throw await withBody(error, failed);
  }
}

/** The SDK keeps only an `error` field of a failed body; what gateways send beside it would be lost. */
async function withBody(error: unknown, failed: Response | undefined): Promise<unknown> {
  if (!failed || !(error instanceof OpenAI.APIError) || error.error) return error;
  const body = (await failed.text().catch(() => "")).slice(0, 20_000).trim();
  return body ? Object.assign(error, { body }) : error;
}
