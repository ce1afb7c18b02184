import { apis } from "../apis/index.ts";
import facts from "../catalog/anthropic.json" with { type: "json" };
import { catalogModels } from "../catalog/catalog-models.ts";
import { createProvider, type Provider } from "../provider.ts";

export function anthropicProvider(): Provider {
  return createProvider({
    id: "anthropic",
    name: "Anthropic",
    baseUrl: "https://api.anthropic.com",
    env: ["ANTHROPIC_API_KEY"],
    baseUrlEnv: "ANTHROPIC_BASE_URL",
    models: catalogModels("anthropic", facts),
    list: { api: "anthropic-messages" },
    api: apis,
  });
}
