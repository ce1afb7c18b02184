import type { CatalogEntry } from "@/lib/ai/catalog/catalog-models";
import type { ModelCost, Prices } from "@/lib/ai/types";
import type { PublicModel, PublicPrices } from "./public-list";

/** What the public list knows better than we do. */
export type PublicFacts = Partial<
  Pick<CatalogEntry, "name" | "reasoning" | "input" | "cost" | "contextWindow" | "maxTokens">
>;

/** A listed model's facts in the catalog's words. What the list does not tell is absent. */
export function factsOf(model: PublicModel): PublicFacts {
  const { name, reasoning, modalities, limit } = model;
  const cost = costOf(model);
  return {
    ...(name && { name }),
    ...(reasoning !== undefined && { reasoning }),
    ...(modalities?.input && {
      input: modalities.input.includes("image") ? ["text", "image"] : ["text"],
    }),
    ...(cost && { cost }),
    ...(limit?.context && { contextWindow: limit.context }),
    ...(limit?.output && { maxTokens: limit.output }),
  };
}

function costOf({ cost }: PublicModel): ModelCost | undefined {
  if (!cost) return undefined;
  const tiers = (cost.tiers ?? [])
    .filter(({ tier }) => tier.type === "context" && tier.size > 0)
    .map(({ tier, ...prices }) => ({ inputTokensAbove: tier.size, ...pricesOf(prices, cost) }));
  // The older way to tell the one tier that there was.
  if (tiers.length === 0 && cost.context_over_200k) {
    tiers.push({ inputTokensAbove: 200_000, ...pricesOf(cost.context_over_200k, cost) });
  }
  tiers.sort((a, b) => a.inputTokensAbove - b.inputTokensAbove);
  return { ...pricesOf(cost), ...(tiers.length > 0 && { tiers }) };
}

/** @param base a tier's cache prices, where it tells none, are the base's */
function pricesOf(prices: PublicPrices, base?: PublicPrices): Prices {
  return {
    input: prices.input,
    output: prices.output,
    cacheRead: prices.cache_read ?? base?.cache_read ?? 0,
    cacheWrite: prices.cache_write ?? base?.cache_write ?? 0,
  };
}

/** Whether a model that is new to the catalog belongs into it: it chats, takes tools and is not on its way out. */
export function isWanted({ modalities, tool_call, status }: PublicModel): boolean {
  const chats = modalities?.output ? modalities.output.includes("text") : true;
  return chats && tool_call !== false && status !== "deprecated";
}
