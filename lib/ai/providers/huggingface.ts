import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/huggingface.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function huggingfaceProvider(): Provider {
  return createProvider({
    id: "huggingface",
    name: "Hugging Face",
    baseUrl: "https://router.huggingface.co/v1",
    env: ["HF_TOKEN"],
    models: catalogModels("huggingface", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
