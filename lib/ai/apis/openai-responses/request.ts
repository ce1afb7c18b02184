import { resolveCacheRetention } from "../../cache-retention.ts";
import type { OpenAIResponsesCompat } from "../../compat.ts";
import { cleanJson } from "../../text.ts";
import { createToolNames, type ToolNames } from "../../tool-names.ts";
import { getCurrentTools, resolveTranscript, resolveTranscriptTools } from "../../transcript.ts";
import type { Headers, JsonSchema, Model, Tool, TranscriptContext } from "../../types.ts";
import { compatFor } from "./compat.ts";
import type { Loose } from "./loose.ts";
import { convertMessages, defaultInputParameter } from "./messages.ts";
import type { OpenAIResponsesOptions } from "./options.ts";
import { convertTools, grammarOf, isStrict } from "./tools.ts";

/** What one request is built from, and what its answer is read with. */
export interface RequestPlan {
  compat: OpenAIResponsesCompat;
  names: ToolNames;
  /** The parameter of each tool that takes free text, by our name of the tool. */
  customTools: ReadonlyMap<string, string>;
  /** The schemas of the tools that are held to them, by our names. */
  strictTools: ReadonlyMap<string, JsonSchema>;
}

/** @throws when a tool must be held to a schema that cannot be */
export function planRequest(model: Model, context: TranscriptContext): RequestPlan {
  const compat = compatFor(model);
  const tools = declaredTools(context);
  const customTools = new Map<string, string>();
  const strictTools = new Map<string, JsonSchema>();
  for (const tool of tools) {
    const grammar = grammarOf(tool, compat);
    if (grammar) customTools.set(tool.name, grammar.property);
    else if (isStrict(tool, compat)) strictTools.set(tool.name, tool.parameters);
  }
  const names = createToolNames([...tools.map((tool) => tool.name), ...calledTools(context)]);
  return { compat, names, customTools, strictTools };
}

/** Every tool that any system message declares. */
function declaredTools(context: TranscriptContext): Tool[] {
  return context.messages.flatMap((message) =>
    message.role === "system" ? (message.toolsAdded ?? []) : [],
  );
}

function calledTools(context: TranscriptContext): string[] {
  return context.messages.flatMap((message) =>
    message.role === "assistant"
      ? (message.content ?? []).flatMap((block) => (block.type === "toolCall" ? [block.name] : []))
      : [],
  );
}

export function inputParameterOf(
  plan: Pick<RequestPlan, "names" | "customTools">,
  vendorName: string,
): string {
  return plan.customTools.get(plan.names.fromVendor(vendorName)) ?? defaultInputParameter;
}

/** The body of `POST /responses`. Options that are not set leave no key. */
export function buildRequest(
  model: Model,
  context: TranscriptContext,
  options: OpenAIResponsesOptions,
  plan: RequestPlan,
): Loose {
  const { compat, names } = plan;
  const { messages } = resolveTranscript(context, compat.supportsMidConvoSystemMessages);
  const inPlace = compat.supportsAdditionalTools && compat.supportsMidConvoSystemMessages;
  const tools = resolveTranscriptTools(messages, inPlace ? "changes" : "none");
  const hasTools = getCurrentTools(messages).length > 0;
  const declareTools = (list: Tool[]): unknown[] => convertTools(list, names, compat);
  const background = options.deferred !== undefined && options.deferred !== false;
  // Lone surrogates are refused wherever they stand, in replayed items and descriptions too.
  return cleanJson({
    model: model.id,
    input: convertMessages(messages, {
      model,
      ...plan,
      ...(inPlace && { declareTools }),
    }),
    ...(tools.length > 0 && { tools: declareTools(tools) }),
    ...(hasTools && options.toolChoice !== undefined && { tool_choice: options.toolChoice }),
    ...maxTokensField(compat, options),
    ...(options.temperature !== undefined &&
      compat.supportsTemperature && { temperature: options.temperature }),
    ...reasoningFields(model, compat, options),
    ...cacheFields(compat, options),
    ...(options.serviceTier !== undefined && { service_tier: options.serviceTier }),
    ...(background ? { background: true, store: true } : { stream: true, store: false }),
    ...model.samplingParams,
    ...options.samplingParams,
  });
}

/** The vendor refuses fewer than sixteen. */
const leastMaxTokens = 16;

function maxTokensField(compat: OpenAIResponsesCompat, options: OpenAIResponsesOptions): Loose {
  if (options.maxTokens === undefined || !compat.supportsMaxOutputTokens) return {};
  return { max_output_tokens: Math.max(leastMaxTokens, options.maxTokens) };
}

function reasoningFields(
  model: Model,
  compat: OpenAIResponsesCompat,
  options: OpenAIResponsesOptions,
): Loose {
  if (!model.reasoning) return {};
  const include = compat.supportsEncryptedReasoning
    ? { include: ["reasoning.encrypted_content"] }
    : {};
  const effort = options.reasoningEffort;
  if (effort && effort !== "off") {
    const summary = options.reasoningSummary === undefined ? "auto" : options.reasoningSummary;
    return { reasoning: { effort, ...(summary && { summary }) }, ...include };
  }
  const off = model.thinkingLevelMap?.off;
  return { ...(off !== null && { reasoning: { effort: off ?? "none" } }), ...include };
}

/** The vendor takes keys of this many characters at most. */
const cacheKeyLength = 64;

function cacheFields(compat: OpenAIResponsesCompat, options: OpenAIResponsesOptions): Loose {
  const retention = resolveCacheRetention(options);
  if (retention === "none") {
    return compat.supportsExplicitPromptCacheMode
      ? { prompt_cache_options: { mode: "explicit" } }
      : {};
  }
  const key = options.sessionId && compat.promptCacheKeyMode !== "disabled";
  const long = retention === "long" && compat.supportsLongCacheRetention;
  return {
    ...(key && {
      prompt_cache_key: [...(options.sessionId as string)].slice(0, cacheKeyLength).join(""),
    }),
    ...(long &&
      (compat.supportsExplicitPromptCacheMode
        ? { prompt_cache_options: { ttl: "30m" } }
        : { prompt_cache_retention: "24h" })),
  };
}

/** Headers by which a host sends the requests of one session to where their prompt is cached. */
export function sessionHeaders(
  compat: OpenAIResponsesCompat,
  options: OpenAIResponsesOptions,
): Headers {
  const { sessionId } = options;
  // Header values are printable ASCII.
  if (!sessionId || !/^[\x20-\x7e]+$/.test(sessionId)) return {};
  if (resolveCacheRetention(options) === "none") return {};
  switch (compat.sessionAffinityFormat) {
    case "openai":
      return { "session-id": sessionId, "x-client-request-id": sessionId };
    case "openai-nosession":
      return { "x-client-request-id": sessionId };
    case "openrouter":
      return { "x-session-id": sessionId };
  }
}
