import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/nvidia.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function nvidiaProvider(): Provider {
  return createProvider({
    id: "nvidia",
    name: "NVIDIA",
    baseUrl: "https://integrate.api.nvidia.com/v1",
    env: ["NVIDIA_API_KEY"],
    models: catalogModels("nvidia", facts),
    list: { api: "openai-completions" },
    api: apis,
  });
}
