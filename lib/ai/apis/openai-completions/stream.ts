import { type AdapterRooms, runAdapter } from "../../adapter.ts";
import { clampThinkingLevel } from "../../thinking.ts";
import { fitMaxTokens, wantedTokens } from "../../token-limits.ts";
import type {
  Model,
  SimpleStreamOptions,
  StreamFunction,
  StreamOptions,
  TranscriptContext,
} from "../../types.ts";
import { completionsCompat } from "./compat.ts";
import { CompletionsDecoder } from "./decoder.ts";
import type { CompletionsOptions } from "./options.ts";
import { type BuiltRequest, buildRequest } from "./request.ts";
import { completionsKey, postCompletion } from "./send.ts";
import { effortOf } from "./thinking.ts";

/** The rooms of one request: how it was built says how its answer is read. */
function createRooms(model: Model): AdapterRooms<CompletionsOptions> {
  const compat = completionsCompat(model);
  let built: BuiltRequest | undefined;
  return {
    buildRequest(_model, context, options) {
      completionsKey(model, options);
      built = buildRequest(model, context, options, compat);
      return built.body;
    },
    send: (request, _model, options, attempt) => postCompletion(request, model, options, attempt),
    createDecoder(builder, _model, options) {
      const { message } = builder;
      const level = options.thinkingLevel ?? options.reasoningEffort;
      const effort = effortOf(model, options);
      if (level) message.thinkingLevel = level;
      if (effort !== undefined) message.providerThinkingLevel = effort;
      return new CompletionsDecoder(builder, model, compat, built as BuiltRequest);
    },
  };
}

/** With this api's own options. Every failure, a missing key included, is an event. */
export const stream: StreamFunction<StreamOptions & Record<string, unknown>> = (
  model,
  context,
  options = {},
) => runAdapter(createRooms(model), model, context, options as CompletionsOptions);

/** With the options that all apis share. @throws ProviderError when there is no key */
export const streamSimple: StreamFunction<SimpleStreamOptions> = (model, context, options = {}) => {
  completionsKey(model, options);
  return runAdapter(createRooms(model), model, context, ownOptions(model, context, options));
};

function ownOptions(
  model: Model,
  context: TranscriptContext,
  options: SimpleStreamOptions,
): CompletionsOptions {
  const { reasoning, deferred: _deferred, ...common } = options;
  const level = reasoning ? clampThinkingLevel(model, reasoning) : "off";
  const asked = wantedTokens(model, options.maxTokens);
  return {
    ...common,
    maxTokens: asked ? fitMaxTokens(model, asked, context.messages) : undefined,
    thinkingLevel: level,
    ...(level !== "off" && { reasoningEffort: level }),
  };
}
