import type { KnownApi } from "@/lib/ai/types";

/** What a way read, so that none can be fast by doing less than it says. */
export interface Reading {
  events: number;
  /** Of text and of arguments; for ways that make something of the events. */
  characters?: number;
}

/** One way to send a request to a base URL and to read its answer to the end. */
export type Way = (api: KnownApi, baseUrl: string) => Promise<Reading>;

export const modelIds: Record<KnownApi, string> = {
  "openai-completions": "gpt-4o-2024-08-06",
  "openai-responses": "gpt-4.1-2025-04-14",
  "anthropic-messages": "claude-opus-5",
  "google-generative-ai": "gemini-2.5-flash",
};

export const prompt = "Say what the river does.";
