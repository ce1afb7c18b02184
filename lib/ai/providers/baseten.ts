import { apis } from "../apis/index.ts";
import facts from "../catalog/baseten.json" with { type: "json" };
import { catalogModels } from "../catalog/catalog-models.ts";
import { createProvider, type Provider } from "../provider.ts";

export function basetenProvider(): Provider {
  return createProvider({
    id: "baseten",
    name: "Baseten",
    baseUrl: "https://inference.baseten.co/v1",
    env: ["BASETEN_API_KEY"],
    models: catalogModels("baseten", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
