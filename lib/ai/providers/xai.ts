import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/xai.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function xaiProvider(): Provider {
  return createProvider({
    id: "xai",
    name: "xAI",
    baseUrl: "https://api.x.ai/v1",
    env: ["XAI_API_KEY"],
    models: catalogModels("xai", facts),
    list: { api: "openai-responses" },
    api: apis,
  });
}
