import { normalizeContext } from "../transcript.ts";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Context,
  Model,
} from "../types.ts";

export interface StreamRun {
  /** Without `partial`, as they came. */
  events: AssistantMessageEvent[];
  message: AssistantMessage;
}

/** Reads a stream to its end. */
export async function readAll(stream: AssistantMessageEventStream): Promise<StreamRun> {
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  return { events, message: await stream.result() };
}

/** A model of which everything that a test does not care about is plain. */
export function testModel(fields: Partial<Model> & Pick<Model, "api" | "id" | "baseUrl">): Model {
  return {
    name: fields.id,
    provider: "vendor",
    reasoning: true,
    input: ["text", "image"],
    contextWindow: 200_000,
    maxTokens: 64_000,
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    ...fields,
  };
}

export const hello: Context = { messages: [{ role: "user", content: "hi", timestamp: 1 }] };

export const transcript = (context: Context = hello): ReturnType<typeof normalizeContext> =>
  normalizeContext(context);

/** An answer of some model, for a transcript. */
export function answer(
  fields: Partial<AssistantMessage> & Pick<AssistantMessage, "content">,
): AssistantMessage {
  return {
    role: "assistant",
    api: "other-api",
    provider: "other",
    model: "other-model",
    stopReason: fields.content.some((block) => block.type === "toolCall") ? "toolUse" : "stop",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    timestamp: 2,
    ...fields,
  };
}
