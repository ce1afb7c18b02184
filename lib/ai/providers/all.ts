import type { Provider } from "../provider.ts";
import { anthropicProvider } from "./anthropic.ts";
import { basetenProvider } from "./baseten.ts";
import { cerebrasProvider } from "./cerebras.ts";
import { deepseekProvider } from "./deepseek.ts";
import { demoProvider } from "./demo.ts";
import { fireworksProvider } from "./fireworks.ts";
import { googleProvider } from "./google.ts";
import { groqProvider } from "./groq.ts";
import { huggingfaceProvider } from "./huggingface.ts";
import { llamacppProvider } from "./llamacpp.ts";
import { lmstudioProvider } from "./lmstudio.ts";
import { metaProvider } from "./meta.ts";
import { minimaxProvider } from "./minimax.ts";
import { mistralProvider } from "./mistral.ts";
import { moonshotaiProvider } from "./moonshotai.ts";
import { nvidiaProvider } from "./nvidia.ts";
import { ollamaProvider } from "./ollama.ts";
import { openaiProvider } from "./openai.ts";
import { openrouterProvider } from "./openrouter.ts";
import { togetherProvider } from "./together.ts";
import { vllmProvider } from "./vllm.ts";
import { xaiProvider } from "./xai.ts";
import { zaiProvider } from "./zai.ts";

/** Every provider that Rill knows, the demo first. */
export function builtinProviders(): Provider[] {
  return [
    demoProvider(),
    openaiProvider(),
    anthropicProvider(),
    googleProvider(),
    deepseekProvider(),
    xaiProvider(),
    groqProvider(),
    mistralProvider(),
    cerebrasProvider(),
    openrouterProvider(),
    togetherProvider(),
    fireworksProvider(),
    moonshotaiProvider(),
    zaiProvider(),
    minimaxProvider(),
    huggingfaceProvider(),
    nvidiaProvider(),
    metaProvider(),
    basetenProvider(),
    ollamaProvider(),
    lmstudioProvider(),
    llamacppProvider(),
    vllmProvider(),
  ];
}
