import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { requestKey } from "../../api-key.ts";
import { ProviderError } from "../../errors.ts";
import { keepingFailedResponse } from "../../failed-response.ts";
import { mergeHeaders } from "../../models.ts";
import type { Attempt } from "../../send.ts";
import type { Headers, Model } from "../../types.ts";
import { loadOpenAI } from "../openai-sdk.ts";
import { affinityHeaders } from "./cache.ts";
import { completionsCompat, isHost } from "./compat.ts";
import type { CompletionsOptions } from "./options.ts";

/** Headers of the caller's that stand in for a key. */
const credentialHeaders = ["authorization", "api-key"];

/** The SDK's timer would count from the request's start; our guard watches for silence instead. */
const noTimeout = 2 ** 31 - 1;

/** The SDK tells every host what machine it runs on. */
const withoutMachineFacts: Headers = Object.fromEntries(
  [
    "lang",
    "package-version",
    "os",
    "arch",
    "runtime",
    "runtime-version",
    "retry-count",
    "timeout",
  ].map((fact) => [`x-stainless-${fact}`, null]),
);

/** The key of a request; undefined when it goes without one. @throws ProviderError when it needs one */
export function completionsKey(model: Model, options: CompletionsOptions): string | undefined {
  const given = mergeHeaders(model.headers, options.headers);
  return requestKey(model, options.apiKey, given, credentialHeaders);
}

/** One attempt through the vendor's SDK. Gives the response with its body unread. @throws what the SDK throws */
export async function postCompletion(
  body: unknown,
  model: Model,
  options: CompletionsOptions,
  attempt: Attempt,
): Promise<Response> {
  const OpenAI = await loadOpenAI();
  const key = completionsKey(model, options);
  const { url, query } = splitQuery(model.baseUrl);
  const response = await keepingFailedResponse(attempt.fetch, (fetch) => {
    const client = new OpenAI({
      apiKey: key ?? "none",
      // What the SDK would read from the environment is meant for OpenAI, and not for any host.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      baseURL: url,
      defaultQuery: query,
      defaultHeaders: requestHeaders(model, options, key),
      fetch,
      maxRetries: 0,
      timeout: noTimeout,
      logLevel: "off",
      dangerouslyAllowBrowser: true,
    });
    return client.chat.completions
      .create(body as ChatCompletionCreateParamsStreaming, { signal: attempt.signal })
      .asResponse();
  });
  await refuseSilentOverflow(response, model);
  return response;
}

/** Cerebras refuses a prompt that is too long without a word. */
async function refuseSilentOverflow(response: Response, model: Model): Promise<void> {
  const { status } = response;
  if ((status !== 400 && status !== 413) || !isHost(model, "cerebras")) return;
  if ((await response.clone().text()).trim() !== "") return;
  throw new ProviderError(
    "The host refused the request without a reason: the prompt may be too long.",
    {
      status,
      errorClass: "context-overflow",
    },
  );
}

function requestHeaders(
  model: Model,
  options: CompletionsOptions,
  key: string | undefined,
): Headers {
  return mergeHeaders(
    {
      ...withoutMachineFacts,
      "user-agent": "Rill",
      ...(key === undefined && { authorization: null }),
      ...(isHost(model, "openrouter") && { "x-title": "Rill" }),
    },
    model.headers,
    affinityHeaders(options, completionsCompat(model)),
    options.headers,
  );
}

/** Some gateways have their version in the address, behind which the SDK would put its path. */
function splitQuery(baseUrl: string): { url: string; query: Record<string, string> | undefined } {
  const at = baseUrl.indexOf("?");
  if (at < 0) return { url: baseUrl.replace(/\/+$/, ""), query: undefined };
  return {
    url: baseUrl.slice(0, at).replace(/\/+$/, ""),
    query: Object.fromEntries(new URLSearchParams(baseUrl.slice(at + 1))),
  };
}
