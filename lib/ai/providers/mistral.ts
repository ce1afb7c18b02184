import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/mistral.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function mistralProvider(): Provider {
  return createProvider({
    id: "mistral",
    name: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    env: ["MISTRAL_API_KEY"],
    models: catalogModels("mistral", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
