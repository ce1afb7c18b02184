import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/together.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function togetherProvider(): Provider {
  return createProvider({
    id: "together",
    name: "Together",
    baseUrl: "https://api.together.ai/v1",
    env: ["TOGETHER_API_KEY"],
    models: catalogModels("together", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
