import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/fireworks.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function fireworksProvider(): Provider {
  return createProvider({
    id: "fireworks",
    name: "Fireworks",
    baseUrl: "https://api.fireworks.ai/inference",
    env: ["FIREWORKS_API_KEY"],
    models: catalogModels("fireworks", facts),
    list: { api: "openai-completions", baseUrl: "https://api.fireworks.ai/inference/v1" },
    api: apis,
  });
}
