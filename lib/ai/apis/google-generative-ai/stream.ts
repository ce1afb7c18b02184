import { type AdapterRooms, runAdapter } from "../../adapter.ts";
import type { GoogleGenerativeAICompat } from "../../compat.ts";
import { clampThinkingLevel } from "../../thinking.ts";
import { fitMaxTokens, wantedTokens } from "../../token-limits.ts";
import { createToolNames, type ToolNames } from "../../tool-names.ts";
import type {
  Model,
  SimpleStreamOptions,
  StreamFunction,
  StreamOptions,
  ThinkingLevel,
  TranscriptContext,
} from "../../types.ts";
import { googleCompat } from "./compat.ts";
import { GoogleDecoder } from "./decoder.ts";
import type { GoogleOptions, GoogleThinking } from "./options.ts";
import { buildBody } from "./request.ts";
import { googleKey, postContents } from "./send.ts";
import { googleThinking } from "./thinking.ts";

/** The rooms of one request; what they tell each other lives as long as it does. */
function createRooms(compat: GoogleGenerativeAICompat): AdapterRooms<GoogleOptions> {
  let names: ToolNames = createToolNames([]);
  return {
    buildRequest(model, context, options) {
      const built = buildBody(model, context, options, compat);
      names = built.names;
      return built.body;
    },
    send: (request, model, options, attempt) => postContents(request, model, options, attempt),
    createDecoder(builder, model, options) {
      const { message } = builder;
      if (options.thinkingLevel) message.thinkingLevel = options.thinkingLevel;
      const told = providerLevel(options.thinking);
      if (told !== undefined) message.providerThinkingLevel = told;
      return new GoogleDecoder(builder, model, names);
    },
  };
}

function providerLevel(thinking: GoogleThinking | undefined): string | undefined {
  const told = thinking?.thinkingLevel ?? thinking?.thinkingBudget;
  return told === undefined ? undefined : String(told);
}

/** With this api's own options. Every failure, a missing key included, is an event. */
export const stream: StreamFunction<StreamOptions & Record<string, unknown>> = (
  model,
  context,
  options = {},
) => runAdapter(createRooms(googleCompat(model)), model, context, options as GoogleOptions);

/**
 * With the options that all apis share. The caller's `maxTokens` caps thinking and answer together.
 * @throws ProviderError when there is no key
 */
export const streamSimple: StreamFunction<SimpleStreamOptions> = (model, context, options = {}) => {
  const { reasoning, thinkingBudgets, toolChoice, deferred: _deferred, ...common } = options;
  googleKey(model, options);
  const compat = googleCompat(model);
  const level: ThinkingLevel = reasoning ? clampThinkingLevel(model, reasoning) : "off";
  const maxTokens = outputCap(model, context, options.maxTokens);
  const own: GoogleOptions = {
    ...common,
    maxTokens,
    toolChoice,
    thinkingLevel: level,
    thinking: googleThinking(model, compat, level, thinkingBudgets, maxTokens),
  };
  return runAdapter(createRooms(compat), model, context, own);
};

/** undefined: neither the caller nor the catalog knows one, and the vendor's own holds. */
function outputCap(
  model: Model,
  context: TranscriptContext,
  asked: number | undefined,
): number | undefined {
  const wanted = wantedTokens(model, asked);
  return wanted === undefined ? undefined : fitMaxTokens(model, wanted, context.messages);
}
