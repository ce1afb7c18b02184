import { apis } from "../apis/index.ts";
import { createProvider, type Provider } from "../provider.ts";

export function ollamaProvider(): Provider {
  return createProvider({
    id: "ollama",
    name: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    needsKey: false,
    local: true,
    models: [],
    list: { api: "openai-completions" },
    api: apis,
  });
}
