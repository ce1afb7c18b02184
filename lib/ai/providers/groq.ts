import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/groq.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function groqProvider(): Provider {
  return createProvider({
    id: "groq",
    name: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    env: ["GROQ_API_KEY"],
    models: catalogModels("groq", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
