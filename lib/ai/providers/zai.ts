import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/zai.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function zaiProvider(): Provider {
  return createProvider({
    id: "zai",
    name: "Z.AI",
    baseUrl: "https://api.z.ai/api/coding/paas/v4",
    env: ["ZAI_API_KEY"],
    models: catalogModels("zai", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
