import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/openai.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function openaiProvider(): Provider {
  return createProvider({
    id: "openai",
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    env: ["OPENAI_API_KEY"],
    baseUrlEnv: "OPENAI_BASE_URL",
    models: catalogModels("openai", facts),
    list: { api: "openai-responses" },
    api: apis,
  });
}
