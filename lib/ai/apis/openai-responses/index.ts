import { runAdapter } from "../../adapter.ts";
import { clampThinkingLevel, providerThinkingLevel } from "../../thinking.ts";
import { fitMaxTokens, wantedTokens } from "../../token-limits.ts";
import type {
  Model,
  SimpleStreamOptions,
  StreamFunction,
  StreamOptions,
  TranscriptContext,
} from "../../types.ts";
import { requireKey } from "../openai-client.ts";
import { submitDeferred } from "./deferred.ts";
import type { OpenAIResponsesOptions } from "./options.ts";
import { createRooms } from "./stream.ts";

export { cancelDeferred, fetchDeferred } from "./deferred.ts";

/** One request to a Responses endpoint, with this api's own options (`OpenAIResponsesOptions`). */
export const stream: StreamFunction<StreamOptions & Record<string, unknown>> = (
  model,
  context,
  options = {},
) => run(model, context, options as OpenAIResponsesOptions);

/** The same with the options that every api has. @throws when there is no key (P-201) */
export const streamSimple: StreamFunction<SimpleStreamOptions> = (model, context, options = {}) => {
  requireKey(model, options);
  return run(model, context, ownOptions(model, context, options));
};

function run(
  model: Model,
  context: TranscriptContext,
  options: OpenAIResponsesOptions,
): ReturnType<typeof stream> {
  if (options.deferred) return submitDeferred(model, context, options);
  return runAdapter(createRooms(model, context), model, context, options);
}

function ownOptions(
  model: Model,
  context: TranscriptContext,
  options: SimpleStreamOptions,
): OpenAIResponsesOptions {
  const { reasoning, thinkingBudgets: _, ...shared } = options;
  const level = reasoning && clampThinkingLevel(model, reasoning);
  const effort = level && level !== "off" ? providerThinkingLevel(model, level) : undefined;
  const asked = wantedTokens(model, options.maxTokens);
  return {
    ...shared,
    ...(level && { thinkingLevel: level }),
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(asked !== undefined && { maxTokens: fitMaxTokens(model, asked, context.messages) }),
  };
}
