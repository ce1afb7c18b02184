import { apis } from "@/lib/ai/apis";
import { createModels } from "@/lib/ai/models";
import { createProvider } from "@/lib/ai/provider";
import type { Context, KnownApi, Model } from "@/lib/ai/types";
import { modelIds, prompt, type Reading } from "./ways";

const models = createModels({
  providers: [createProvider({ id: "bench", name: "Bench", baseUrl: "", models: [], api: apis })],
});

const context: Context = { messages: [{ role: "user", content: prompt, timestamp: 1 }] };

/** The whole way through the model layer, read event by event, the live arguments looked at each time. */
export async function modelLayer(api: KnownApi, baseUrl: string): Promise<Reading> {
  let events = 0;
  let characters = 0;
  let seen = 0;
  for await (const event of models.streamSimple(modelFor(api, baseUrl), context, {
    apiKey: "none",
  })) {
    events++;
    switch (event.type) {
      case "text_delta":
        characters += event.delta.length;
        break;
      case "toolcall_delta": {
        const block = event.partial.content[event.contentIndex];
        // As a view does that shows the file while it is written.
        if (block?.type === "toolCall" && typeof block.arguments.content === "string") {
          seen = block.arguments.content.length;
        }
        break;
      }
      case "toolcall_end": {
        const { content } = event.toolCall.arguments;
        if (typeof content !== "string" || seen !== content.length) {
          throw new Error(`The live arguments ended at ${seen} characters.`);
        }
        characters += JSON.stringify(event.toolCall.arguments).length;
        break;
      }
      case "error":
        throw new Error(event.error.errorMessage);
    }
  }
  return { events, characters };
}

function modelFor(api: KnownApi, baseUrl: string): Model {
  return {
    id: modelIds[api],
    name: modelIds[api],
    api,
    provider: "bench",
    baseUrl,
    reasoning: false,
    input: ["text"],
    contextWindow: 200_000,
    maxTokens: 64_000,
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  };
}
