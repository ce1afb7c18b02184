import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/cerebras.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function cerebrasProvider(): Provider {
  return createProvider({
    id: "cerebras",
    name: "Cerebras",
    baseUrl: "https://api.cerebras.ai/v1",
    env: ["CEREBRAS_API_KEY"],
    models: catalogModels("cerebras", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
