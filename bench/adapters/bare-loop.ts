import { createParser } from "eventsource-parser";
import type { KnownApi } from "@/lib/ai/types";
import { modelIds, prompt, type Reading } from "./ways";

const paths: Record<KnownApi, string> = {
  "openai-completions": "/chat/completions",
  "openai-responses": "/responses",
  "anthropic-messages": "/v1/messages",
  "google-generative-ai": `/models/${modelIds["google-generative-ai"]}:streamGenerateContent?alt=sse`,
};

const bodies: Record<KnownApi, object> = {
  "openai-completions": { messages: [{ role: "user", content: prompt }] },
  "openai-responses": { input: prompt },
  "anthropic-messages": { max_tokens: 64_000, messages: [{ role: "user", content: prompt }] },
  "google-generative-ai": { contents: [{ role: "user", parts: [{ text: prompt }] }] },
};

/** The floor: the least that reading such a stream takes, and nothing made of it. */
export async function bareLoop(api: KnownApi, baseUrl: string): Promise<Reading> {
  const response = await fetch(baseUrl + paths[api], {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer none" },
    body: JSON.stringify({ model: modelIds[api], stream: true, ...bodies[api] }),
  });
  return readBare(response);
}

export async function readBare(response: Response): Promise<Reading> {
  let events = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") return;
      if (JSON.parse(data)) events++;
    },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parser.feed(decoder.decode(value, { stream: true }));
  }
  return { events };
}
