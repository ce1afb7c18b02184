import { apis } from "../apis/index.ts";
import { catalogModels } from "../catalog/catalog-models.ts";
import facts from "../catalog/google.json" with { type: "json" };
import { createProvider, type Provider } from "../provider.ts";

export function googleProvider(): Provider {
  return createProvider({
    id: "google",
    name: "Google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    env: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    baseUrlEnv: "GOOGLE_GEMINI_BASE_URL",
    models: catalogModels("google", facts),
    list: { api: "google-generative-ai" },
    api: apis,
  });
}
