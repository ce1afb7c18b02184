import { isDeepStrictEqual } from "node:util";
import type { CatalogEntry } from "@/lib/ai/catalog/catalog-models";
import type { Model } from "@/lib/ai/types";
import { factsOf } from "./public-facts";
import type { PublicModel } from "./public-list";

/**
 * An entry for a model that the catalog does not have yet. How it is asked is what its siblings have in common: those of the
 * same vendor at the same provider, else all of them.
 * @param siblings the provider's entries; at least one
 */
export function newEntry(model: PublicModel, siblings: CatalogEntry[]): CatalogEntry {
  const kin = siblingsOf(model, siblings);
  const { api, baseUrl } = kin[0] as CatalogEntry;
  const facts = factsOf(model);
  const compat = commonFields(kin.map((entry) => entry.compat as object | undefined));
  const thinkingLevelMap = facts.reasoning ? thinkingLevels(model) : undefined;
  return {
    id: model.id,
    name: facts.name ?? model.id,
    api,
    baseUrl,
    reasoning: facts.reasoning ?? false,
    input: facts.input ?? ["text"],
    ...(facts.cost && { cost: facts.cost }),
    contextWindow: facts.contextWindow ?? 0,
    maxTokens: facts.maxTokens ?? 0,
    ...(thinkingLevelMap && { thinkingLevelMap }),
    ...(compat && { compat: compat as CatalogEntry["compat"] }),
  };
}

/** The siblings that share the api and address which most of the nearest ones have. */
function siblingsOf(model: PublicModel, siblings: CatalogEntry[]): CatalogEntry[] {
  const anthropic = model.provider?.npm === "@ai-sdk/anthropic";
  const bySdk = siblings.filter((entry) => (entry.api === "anthropic-messages") === anthropic);
  const vendor = vendorOf(model.id);
  const byVendor = siblings.filter((entry) => vendorOf(entry.id) === vendor);
  const told = model.provider?.npm && bySdk.length > 0 ? bySdk : undefined;
  const near = told ?? (vendor && byVendor.length > 0 ? byVendor : siblings);
  const groups = new Map<string, CatalogEntry[]>();
  for (const entry of near) groups.set(wayOf(entry), [...(groups.get(wayOf(entry)) ?? []), entry]);
  const [largest = siblings] = [...groups.values()].sort((a, b) => b.length - a.length);
  return largest;
}

const wayOf = ({ api, baseUrl }: CatalogEntry): string => `${api} ${baseUrl}`;

const vendorOf = (id: string): string | undefined =>
  id.includes("/") ? id.replace(/^~/, "").split("/")[0] : undefined;

/** The fields that all objects have with the same value. */
function commonFields(all: (object | undefined)[]): object | undefined {
  const [first, ...rest] = all.map((entry) => Object.entries(entry ?? {}));
  const shared = (first ?? []).filter(([key, value]) =>
    rest.every((fields) =>
      fields.some(([other, same]) => other === key && isDeepStrictEqual(value, same)),
    ),
  );
  return shared.length > 0 ? Object.fromEntries(shared) : undefined;
}

/** The levels that the list names for a model that is told how hard to think. */
function thinkingLevels({ reasoning_options }: PublicModel): Model["thinkingLevelMap"] {
  const effort = reasoning_options?.find(({ type }) => type === "effort")?.values;
  if (!effort) return undefined;
  const canBeOff = reasoning_options?.some(({ type }) => type === "toggle");
  return {
    ...(effort.includes("none") ? { off: "none" } : !canBeOff && { off: null }),
    ...Object.fromEntries(
      (["minimal", "low", "medium", "high", "xhigh", "max"] as const).map((level) => [
        level,
        effort.includes(level) ? level : null,
      ]),
    ),
  };
}
