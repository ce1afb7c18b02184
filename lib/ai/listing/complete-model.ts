import type { Model, ModelCost } from "../types.ts";
import type { ListEndpoint } from "./endpoint.ts";
import type { ListedModel } from "./listed-model.ts";

/** A model of which nothing but its id is known: text only, no thinking, sizes and price not known. */
export function unknownModel({ provider, api, baseUrl }: ListEndpoint, id: string): Model {
  return {
    id,
    name: id,
    api,
    provider,
    baseUrl,
    reasoning: false,
    input: ["text"],
    contextWindow: 0,
    maxTokens: 0,
  };
}

/**
 * A listed model with what is known of it besides. Sizes, price and input go by the list, as far as it tells them; name,
 * thinking and the host's ways go by the catalog, which knows them better than any list.
 */
export function completeModel(
  listed: ListedModel,
  endpoint: ListEndpoint,
  known: Model | undefined,
): Model {
  const { id, chat: _chat, cost, ...told } = listed;
  if (!known) return { ...unknownModel(endpoint, id), ...told, ...(cost && { cost }) };
  const { input, contextWindow, maxTokens } = told;
  const model: Model = {
    ...known,
    input: input ?? known.input,
    contextWindow: contextWindow ?? known.contextWindow,
    maxTokens: maxTokens ?? known.maxTokens,
  };
  if (cost && !samePrice(cost, known.cost)) model.cost = cost;
  return model;
}

/** The catalog's price has tiers and cache prices, which lists seldom tell, so it stays while it holds. */
function samePrice(listed: ModelCost, known: ModelCost | undefined): boolean {
  return known !== undefined && listed.input === known.input && listed.output === known.output;
}
