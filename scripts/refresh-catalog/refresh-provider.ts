import { isDeepStrictEqual } from "node:util";
import type { CatalogEntry } from "@/lib/ai/catalog/catalog-models";
import { newEntry } from "./new-entry";
import { factsOf, isWanted } from "./public-facts";
import type { PublicModel } from "./public-list";

export interface Refreshed {
  entries: CatalogEntry[];
  added: string[];
  /** Ids with each field that is another now, as `field: before -> after`. */
  changed: { id: string; fields: string[] }[];
  /** In the catalog and not in the list any more. */
  gone: string[];
}

/**
 * A provider's entries with the list's facts. How a model is asked (api, address, thinking levels, compat) stays ours for
 * those that we know; models that the list does not have stay too, unless `prune` is set. Order: by id.
 */
export function refreshProvider(
  known: CatalogEntry[],
  listed: PublicModel[],
  { prune = false }: { prune?: boolean } = {},
): Refreshed {
  const result: Refreshed = { entries: [], added: [], changed: [], gone: [] };
  const byId = new Map(listed.map((model) => [model.id, model]));
  for (const entry of known) {
    const model = byId.get(entry.id);
    byId.delete(entry.id);
    if (!model) {
      result.gone.push(entry.id);
      if (!prune) result.entries.push(entry);
      continue;
    }
    const next = withFacts(entry, model);
    const fields = differences(entry, next);
    if (fields.length > 0) result.changed.push({ id: entry.id, fields });
    result.entries.push(next);
  }
  for (const model of known.length > 0 ? byId.values() : []) {
    if (!isWanted(model)) continue;
    result.added.push(model.id);
    result.entries.push(newEntry(model, known));
  }
  result.entries.sort((a, b) => collator.compare(a.id, b.id));
  return result;
}

// As the files are sorted: letters before their case.
const collator = new Intl.Collator("en");

function withFacts(entry: CatalogEntry, model: PublicModel): CatalogEntry {
  const facts = factsOf(model);
  // Our map of thinking levels says that a model thinks, whatever the list says of it.
  if (entry.thinkingLevelMap) delete facts.reasoning;
  return { ...entry, ...facts };
}

function differences(before: CatalogEntry, after: CatalogEntry): string[] {
  const keys = Object.keys(after) as (keyof CatalogEntry)[];
  return keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => `${key}: ${JSON.stringify(before[key])} -> ${JSON.stringify(after[key])}`);
}
