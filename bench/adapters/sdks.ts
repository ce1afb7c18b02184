import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import type { KnownApi } from "@/lib/ai/types";
import { readBare } from "./bare-loop";
import { modelIds, prompt, type Reading } from "./ways";

const settings = { apiKey: "none", maxRetries: 0, logLevel: "off" } as const;

/** A client for each request, as ours does, since each may go to another host with another key. */
const openai = (baseURL: string): OpenAI => new OpenAI({ ...settings, baseURL });
const anthropic = (baseURL: string): Anthropic => new Anthropic({ ...settings, baseURL });
const google = (baseUrl: string, fetch?: typeof globalThis.fetch): GoogleGenAI =>
  new GoogleGenAI({
    apiKey: "none",
    vertexai: false,
    httpOptions: { baseUrl, apiVersion: "", ...(fetch && { fetch }) },
  });

const requests = {
  completions: {
    model: modelIds["openai-completions"],
    messages: [{ role: "user", content: prompt }],
    stream: true,
  },
  responses: { model: modelIds["openai-responses"], input: prompt, stream: true },
  anthropic: {
    model: modelIds["anthropic-messages"],
    max_tokens: 64_000,
    messages: [{ role: "user", content: prompt }],
    stream: true,
  },
  google: { model: modelIds["google-generative-ai"], contents: prompt },
} as const;

const ask: Record<KnownApi, (baseUrl: string) => Promise<AsyncIterable<unknown>>> = {
  "openai-completions": (url) =>
    openai(url).chat.completions.create({
      ...requests.completions,
      messages: [...requests.completions.messages],
    }),
  "openai-responses": (url) => openai(url).responses.create(requests.responses),
  "anthropic-messages": (url) =>
    anthropic(url).messages.create({
      ...requests.anthropic,
      messages: [...requests.anthropic.messages],
    }),
  "google-generative-ai": (url) => google(url).models.generateContentStream(requests.google),
};

/** The SDK's own iteration, its events left as they are. */
export async function sdkIteration(api: KnownApi, baseUrl: string): Promise<Reading> {
  let events = 0;
  for await (const _event of await ask[api](baseUrl)) events++;
  return { events };
}

const send: Record<KnownApi, (baseUrl: string) => Promise<Response>> = {
  "openai-completions": (url) =>
    openai(url)
      .post("/chat/completions", { body: requests.completions, stream: true })
      .asResponse(),
  "openai-responses": (url) =>
    openai(url).post("/responses", { body: requests.responses, stream: true }).asResponse(),
  "anthropic-messages": (url) =>
    anthropic(url).post("/v1/messages", { body: requests.anthropic, stream: true }).asResponse(),
  "google-generative-ai": async (url) => {
    let response: Response | undefined;
    await google(url, async (...request) => {
      response = await fetch(...request);
      return new Response(null);
    }).models.generateContentStream(requests.google);
    if (!response) throw new Error("The SDK sent nothing.");
    return response;
  },
};

/** The SDK builds, signs and sends; the bare loop reads. Whoever lets the SDK send cannot be faster than this. */
export async function sentBySdk(api: KnownApi, baseUrl: string): Promise<Reading> {
  return readBare(await send[api](baseUrl));
}
