/** What the page of the model layer's own test loads. */

import { apiImplementation } from "@/lib/ai/apis";
import { normalizeContext } from "@/lib/ai/transcript";
import type { AssistantMessage, KnownApi, Model } from "@/lib/ai/types";

const basePath: Record<KnownApi, string> = {
  "openai-responses": "/v1",
  "openai-completions": "/v1",
  "anthropic-messages": "",
  "google-generative-ai": "/v1beta",
};

/** Asks one question over a wire API at an address. */
export function answerOf(api: KnownApi, origin: string): Promise<AssistantMessage> {
  const model: Model = {
    id: "some-model",
    name: "Some model",
    api,
    provider: "own",
    baseUrl: origin + basePath[api],
    reasoning: true,
    input: ["text"],
    contextWindow: 100_000,
    maxTokens: 4_000,
  };
  const context = normalizeContext({
    messages: [{ role: "user", content: "hi", timestamp: 1 }],
    tools: [{ name: "add", description: "Adds.", parameters: { type: "object", properties: {} } }],
  });
  return apiImplementation(api)
    .streamSimple(model, context, { apiKey: "key-for-the-test", maxRetries: 0 })
    .result();
}
