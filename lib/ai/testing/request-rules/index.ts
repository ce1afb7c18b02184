import type { KnownApi } from "../../types.ts";
import { checkAnthropicRequest } from "./anthropic-messages.ts";
import { checkGoogleRequest } from "./google-generative-ai.ts";
import { checkCompletionsRequest } from "./openai-completions.ts";
import { checkResponsesRequest } from "./openai-responses.ts";
import type { RequestChecker } from "./rule.ts";

/** For each wire API: what is wrong with a request body, by the vendor's published rules. */
export const requestCheckers: Record<KnownApi, RequestChecker> = {
  "anthropic-messages": checkAnthropicRequest,
  "google-generative-ai": checkGoogleRequest,
  "openai-completions": checkCompletionsRequest,
  "openai-responses": checkResponsesRequest,
};
