import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/moonshotai.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function moonshotaiProvider(): Provider {
  return createProvider({
    id: "moonshotai",
    name: "Moonshot AI",
    baseUrl: "https://api.moonshot.ai/v1",
    env: ["MOONSHOT_API_KEY"],
    models: catalogModels("moonshotai", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
