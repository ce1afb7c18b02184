import { apis } from "../apis/index.ts";
import { createProvider, type Provider } from "../provider.ts";

export function lmstudioProvider(): Provider {
  return createProvider({
    id: "lmstudio",
    name: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    needsKey: false,
    local: true,
    models: [],
    list: { api: "openai-completions" },
    api: apis,
  });
}
