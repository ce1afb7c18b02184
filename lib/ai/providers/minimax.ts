import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/minimax.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function minimaxProvider(): Provider {
  return createProvider({
    id: "minimax",
    name: "MiniMax",
    baseUrl: "https://api.minimax.io/anthropic",
    env: ["MINIMAX_API_KEY"],
    models: catalogModels("minimax", facts),
    list: { api: "anthropic-messages" },
    api: apis,
  });
}
