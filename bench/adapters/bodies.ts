import type { KnownApi } from "@/lib/ai/types";
import { anthropicBody } from "./bodies/anthropic";
import { completionsBody } from "./bodies/completions";
import { googleBody } from "./bodies/google";
import { responsesBody } from "./bodies/responses";

/** What an answer holds: so many pieces of text, or one call with arguments of so many KB. */
export type AnswerContent =
  | { kind: "text"; deltas: number }
  | { kind: "arguments"; kilobytes: number };

export const apiNames = [
  "openai-completions",
  "openai-responses",
  "anthropic-messages",
  "google-generative-ai",
] as const satisfies KnownApi[];

const builders: Record<KnownApi, (content: AnswerContent) => string> = {
  "openai-completions": completionsBody,
  "openai-responses": responsesBody,
  "anthropic-messages": anthropicBody,
  "google-generative-ai": googleBody,
};

/** The HTTP body of a streamed answer, as that vendor frames it. */
export function answerBody(api: KnownApi, content: AnswerContent): string {
  return builders[api](content);
}
