import { apis } from "../apis/index.ts";
import { createProvider, type Provider } from "../provider.ts";

export function vllmProvider(): Provider {
  return createProvider({
    id: "vllm",
    name: "vLLM",
    baseUrl: "http://127.0.0.1:8000/v1",
    needsKey: false,
    local: true,
    models: [],
    list: { api: "openai-completions" },
    api: apis,
  });
}
