/** What servers on one's own machine tell of their models beside the compatible list, in ways of their own. */

import { isRecord, type Loose, text } from "../vendor-json.ts";
import { type ListEndpoint, rootUrl } from "./endpoint.ts";
import { fetchJson, type ListSession } from "./fetch-json.ts";
import type { ListedModel } from "./listed-model.ts";
import { firstSize, recordOf, wordsOf } from "./loose-facts.ts";

const maxShown = 200;
const shownAtOnce = 8;

/**
 * Entries of a compatible list with what the server tells elsewhere. A server that does not tell more, or not in time,
 * leaves them as they are.
 */
export async function withLocalFacts(
  endpoint: ListEndpoint,
  session: ListSession,
  entries: Loose[],
): Promise<Loose[]> {
  const ask = (path: string, post?: unknown): Promise<unknown> =>
    fetchJson(session, rootUrl(endpoint, path), post).catch(() => undefined);
  if (endpoint.provider === "lmstudio") return lmStudioEntries(entries, ask);
  if (endpoint.provider === "ollama") return ollamaEntries(entries, ask);
  if (entries.length === 1 && entries[0]?.owned_by === "llamacpp") {
    return [llamaCppEntry(entries[0], await ask("/props"))];
  }
  return entries;
}

type Ask = (path: string, post?: unknown) => Promise<unknown>;

/** LM Studio's own list has type, context and capabilities of each. */
async function lmStudioEntries(entries: Loose[], ask: Ask): Promise<Loose[]> {
  const body = await ask("/api/v0/models");
  const own = isRecord(body) && Array.isArray(body.data) ? body.data.filter(isRecord) : [];
  const byId = new Map(own.map((entry) => [entry.id, entry]));
  return entries.map((entry) => ({ ...entry, ...byId.get(entry.id) }));
}

/** llama.cpp serves one model: its context as it was started, and whether it can see. */
function llamaCppEntry(entry: Loose, props: unknown): Loose {
  const { default_generation_settings: settings, modalities } = recordOf(props);
  const size = firstSize(recordOf(settings).n_ctx);
  return {
    ...entry,
    ...(size !== undefined && { context_length: size }),
    ...(recordOf(modalities).vision === true && { supports_vision: true }),
  };
}

/** Ollama tells capabilities model by model, and a context only of those that are loaded or set to one. */
async function ollamaEntries(entries: Loose[], ask: Ask): Promise<Loose[]> {
  const running = recordOf(await ask("/api/ps")).models;
  const loaded = new Map(
    (Array.isArray(running) ? running.filter(isRecord) : []).map((entry) => [
      entry.model ?? entry.name,
      entry.context_length,
    ]),
  );
  const shown: Loose[] = [...entries];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < Math.min(entries.length, maxShown)) {
      const index = next++;
      const entry = entries[index] as Loose;
      const about = recordOf(await ask("/api/show", { model: entry.id }));
      shown[index] = ollamaEntry(entry, about, loaded.get(entry.id));
    }
  };
  await Promise.all(Array.from({ length: shownAtOnce }, work));
  return shown;
}

function ollamaEntry(entry: Loose, about: Loose, loadedContext: unknown): Loose {
  const capabilities = wordsOf(about.capabilities);
  const set = /^num_ctx\s+(\d{1,9})\s*$/m.exec(text(about.parameters).slice(0, 10_000))?.[1];
  const size = firstSize(loadedContext, set && Number(set));
  return {
    ...entry,
    ...(capabilities && { capabilities }),
    ...(size !== undefined && { context_length: size }),
  };
}

/** How a local server is told to think, where that is not the way of its kind. */
export function withLocalWays({ provider }: ListEndpoint, listed: ListedModel): ListedModel {
  if (provider !== "ollama" || !listed.reasoning) return listed;
  return {
    ...listed,
    // Its gpt-oss models always think.
    thinkingLevelMap: { off: /gpt-oss/i.test(listed.id) ? null : "none", minimal: null },
    compat: { supportsReasoningEffort: true },
  };
}
