import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/meta.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function metaProvider(): Provider {
  return createProvider({
    id: "meta",
    name: "Meta",
    baseUrl: "https://api.meta.ai/v1",
    env: ["META_API_KEY"],
    models: catalogModels("meta", facts),
    list: { api: "openai-responses" },
    api: apis,
  });
}
