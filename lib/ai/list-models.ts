/** Lists an endpoint's chat models live, from the `/models` of each wire api and in the shapes of the hosts that speak it. */

import { ProviderError } from "./errors.ts";
import { completeModel } from "./listing/complete-model.ts";
import { type ListEndpoint, listHeaders, listUrl, nextPage } from "./listing/endpoint.ts";
import { fetchJson, type ListSession } from "./listing/fetch-json.ts";
import { readListedModel } from "./listing/listed-model.ts";
import { withLocalFacts, withLocalWays } from "./listing/local-servers.ts";
import type { Model, ProviderRequestOptions } from "./types.ts";
import { isRecord, type Loose } from "./vendor-json.ts";

export type ListModelsOptions = Pick<
  ProviderRequestOptions,
  "signal" | "apiKey" | "fetch" | "headers"
> & {
  /** For everything together, in ms. Default: 10000. */
  timeoutMs?: number;
  /** Of one answer. Default: 16 MiB. */
  maxBytes?: number;
  /** Models more than these are left out. Default: 5000. */
  maxModels?: number;
};

const defaults = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024, maxModels: 5000 };
const maxPages = 20;

/**
 * The chat models that an endpoint lists, in its order. What it does not tell comes from `known`, else it is not known:
 * size 0, no price, text only, no thinking.
 * @param known models of the catalog by the same provider
 * @throws ProviderError with a class and a sentence without secrets
 */
export async function listModels(
  endpoint: ListEndpoint,
  options: ListModelsOptions = {},
  known: readonly Model[] = [],
): Promise<Model[]> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? defaults.timeoutMs);
  const session: ListSession = {
    fetch: options.fetch ?? globalThis.fetch,
    headers: listHeaders(endpoint, options.apiKey?.trim() || undefined, options.headers),
    signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline,
    maxBytes: options.maxBytes ?? defaults.maxBytes,
    apiKey: options.apiKey,
  };
  const listed = await readPages(endpoint, session, options.maxModels ?? defaults.maxModels);
  const entries = await withLocalFacts(endpoint, session, listed);
  if (options.signal?.aborted) {
    throw new ProviderError("The request was aborted.", { errorClass: "aborted" });
  }
  const knownById = new Map(known.map((model) => [model.id, model]));
  const models = new Map<string, Model>();
  for (const entry of entries) {
    const model = readListedModel(entry, endpoint.api);
    if (!model || models.has(model.id)) continue;
    const baseline = knownById.get(model.id);
    if (!model.chat && !baseline) continue;
    models.set(model.id, completeModel(withLocalWays(endpoint, model), endpoint, baseline));
  }
  return [...models.values()];
}

async function readPages(
  endpoint: ListEndpoint,
  session: ListSession,
  maxModels: number,
): Promise<Loose[]> {
  const entries: Loose[] = [];
  const seen = new Set<string>();
  let page: string | undefined;
  do {
    const body = await fetchJson(session, listUrl(endpoint, page));
    entries.push(...entriesOf(body).slice(0, maxModels - entries.length));
    page = nextPage(body);
    if (page === undefined || seen.has(page)) break;
    seen.add(page);
  } while (entries.length < maxModels && seen.size < maxPages);
  return entries;
}

/** @throws ProviderError when the answer is no list */
function entriesOf(body: unknown): Loose[] {
  const list = Array.isArray(body)
    ? body
    : isRecord(body)
      ? [body.data, body.models].find(Array.isArray)
      : undefined;
  if (list) return withSiblings(list.filter(isRecord), body);
  // An account without any model at Google gets an empty object; Go's servers write an empty list as null.
  if (isRecord(body) && (body.data === null || Object.keys(body).length === 0)) return [];
  throw new ProviderError("The answer is not a list of models.", { errorClass: "unknown" });
}

/** llama.cpp lists each model twice: under `data` in the compatible way, under `models` with its capabilities. */
function withSiblings(list: Loose[], body: unknown): Loose[] {
  if (!isRecord(body) || !Array.isArray(body.data) || !Array.isArray(body.models)) return list;
  const siblings = new Map(
    body.models.filter(isRecord).map((entry) => [entry.model ?? entry.name, entry.capabilities]),
  );
  return list.map((entry) => {
    const capabilities = siblings.get(entry.id);
    return capabilities === undefined ? entry : { ...entry, capabilities };
  });
}
