import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/openrouter.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function openrouterProvider(): Provider {
  return createProvider({
    id: "openrouter",
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    env: ["OPENROUTER_API_KEY"],
    models: catalogModels("openrouter", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
