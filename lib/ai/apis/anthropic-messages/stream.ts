import { type AdapterRooms, runAdapter } from "../../adapter.ts";
import { requestKey } from "../../api-key.ts";
import type { AnthropicMessagesCompat } from "../../compat.ts";
import { failureOf } from "../../errors.ts";
import { mergeHeaders } from "../../models.ts";
import { clampThinkingLevel, providerThinkingLevel, thinkingBudget } from "../../thinking.ts";
import type {
  Diagnostic,
  Model,
  SimpleStreamOptions,
  StreamFunction,
  StreamOptions,
  ThinkingLevel,
} from "../../types.ts";
import { anthropicCompat, thinksAdaptively } from "./compat.ts";
import { AnthropicDecoder } from "./decoder.ts";
import { requestHeaders } from "./headers.ts";
import type { AnthropicOptions, AnthropicThinking } from "./options.ts";
import { type BuiltRequest, buildBody } from "./request.ts";
import { isStrictLimit, postMessage, withoutPreferredStrict } from "./send.ts";

/** The rooms of one request; what they tell each other lives as long as it does. */
function createRooms(compat: AnthropicMessagesCompat): AdapterRooms<AnthropicOptions> {
  let built: BuiltRequest | undefined;
  let ordinary: unknown;
  let strictRefused: Diagnostic | undefined;
  return {
    buildRequest(model, context, options) {
      built = buildBody(model, context, options, compat);
      return built.body;
    },
    async send(request, model, options, attempt) {
      const body = ordinary ?? request;
      const headers = requestHeaders(model, options, compat, body);
      try {
        return await postMessage(body, model, headers, attempt);
      } catch (error) {
        if (ordinary || !isStrictLimit(error)) throw error;
        ordinary = withoutPreferredStrict(body, built?.preferredStrict ?? new Map());
        if (!ordinary) throw error;
        strictRefused = {
          ...failureOf(error, { apiKey: options.apiKey }).diagnostic,
          type: "strict-tools-fallback",
        };
        return postMessage(ordinary, model, headers, attempt);
      }
    },
    createDecoder(builder, model, options) {
      const { message } = builder;
      if (options.thinkingLevel) message.thinkingLevel = options.thinkingLevel;
      const effort = effectiveThinking(ordinary ?? built?.body);
      if (effort !== undefined) message.providerThinkingLevel = effort;
      if (strictRefused) message.diagnostics = [...(message.diagnostics ?? []), strictRefused];
      return new AnthropicDecoder(builder, model, compat, (built as BuiltRequest).names);
    },
  };
}

/** What the vendor was asked for: its effort, or its budget in tokens. */
function effectiveThinking(body: unknown): string | undefined {
  const { thinking, output_config } = body as BuiltRequest["body"];
  if (output_config) return output_config.effort;
  return thinking?.budget_tokens === undefined ? undefined : String(thinking.budget_tokens);
}

/** With this api's own options. Every failure, a missing key included, is an event. */
export const stream: StreamFunction<StreamOptions & Record<string, unknown>> = (
  model,
  context,
  options = {},
) => runAdapter(createRooms(anthropicCompat(model)), model, context, options as AnthropicOptions);

/** With the options that all apis share. @throws ProviderError when there is no key */
export const streamSimple: StreamFunction<SimpleStreamOptions> = (model, context, options = {}) => {
  const { reasoning, thinkingBudgets, toolChoice, deferred: _deferred, ...common } = options;
  requestKey(model, options.apiKey, mergeHeaders(model.headers, options.headers), [
    "authorization",
    "x-api-key",
  ]);
  const compat = anthropicCompat(model);
  const level = reasoning ? clampThinkingLevel(model, reasoning) : "off";
  const own: AnthropicOptions = {
    ...common,
    toolChoice,
    thinkingLevel: level,
    thinking: thinkingFor(model, compat, level, thinkingBudgets),
  };
  return runAdapter(createRooms(compat), model, context, own);
};

const efforts: Record<Exclude<ThinkingLevel, "off">, string> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "max",
};

function thinkingFor(
  model: Model,
  compat: AnthropicMessagesCompat,
  level: ThinkingLevel,
  budgets: SimpleStreamOptions["thinkingBudgets"],
): AnthropicThinking | undefined {
  if (!model.reasoning) return undefined;
  if (level === "off") {
    return model.thinkingLevelMap?.off === null ? undefined : { type: "disabled" };
  }
  if (!thinksAdaptively(model, compat)) {
    return { type: "enabled", budgetTokens: thinkingBudget(level, budgets) };
  }
  const mapped = model.thinkingLevelMap?.[level] && providerThinkingLevel(model, level);
  return { type: "adaptive", effort: mapped || efforts[level] };
}
