import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/deepseek.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function deepseekProvider(): Provider {
  return createProvider({
    id: "deepseek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com",
    env: ["DEEPSEEK_API_KEY"],
    models: catalogModels("deepseek", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
