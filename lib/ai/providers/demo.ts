import { lazyApi } from "../lazy.ts";
import { createProvider, type Provider } from "../provider.ts";
import type { Model } from "../types.ts";

const base = {
  api: "demo",
  provider: "demo",
  baseUrl: "demo:",
  input: ["text", "image"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 32_000,
  maxTokens: 8_000,
} satisfies Partial<Model>;

const models: Model[] = [
  { ...base, id: "demo", name: "Rill Demo", reasoning: true },
  { ...base, id: "demo-quick", name: "Rill Demo Quick", reasoning: false },
  { ...base, id: "demo-slow", name: "Rill Demo Slow", reasoning: true },
];

/** A demonstration that answers by rules: no key, no network, no intelligence. */
export function demoProvider(): Provider {
  return createProvider({
    id: "demo",
    name: "Demo",
    baseUrl: "demo:",
    needsKey: false,
    models,
    api: { demo: lazyApi(() => import("../apis/demo/index.ts")) },
  });
}
