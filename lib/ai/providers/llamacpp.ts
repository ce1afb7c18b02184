import { apis } from "../apis/index.ts";
import { createProvider, type Provider } from "../provider.ts";

export function llamacppProvider(): Provider {
  return createProvider({
    id: "llamacpp",
    name: "llama.cpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    needsKey: false,
    local: true,
    models: [],
    list: { api: "openai-completions" },
    api: apis,
  });
}
