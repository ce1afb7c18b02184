import type { OpenAICompletionsCompat } from "../../compat.ts";
import { createToolNames, type ToolNames } from "../../tool-names.ts";
import { getCurrentTools, resolveTranscript, resolveTranscriptTools } from "../../transcript.ts";
import { transformMessages } from "../../transform-messages.ts";
import type { Message, Model, TranscriptContext } from "../../types.ts";
import { cacheFields, markForCache } from "./cache.ts";
import { callIdForms } from "./call-ids.ts";
import { convertMessages, type WireMessage } from "./messages.ts";
import type { CompletionsOptions } from "./options.ts";
import { thinkingFields } from "./thinking.ts";
import { createToolTable, type ToolTable } from "./tools.ts";

export type RequestBody = { model: string; messages: WireMessage[] } & Record<string, unknown>;

/** A request body, and what is needed to read its answer. */
export interface BuiltRequest {
  body: RequestBody;
  names: ToolNames;
  tools: ToolTable;
}

/** @throws ProviderError when a tool cannot be sent as it requires to be */
export function buildRequest(
  model: Model,
  context: TranscriptContext,
  options: CompletionsOptions,
  compat: OpenAICompletionsCompat,
): BuiltRequest {
  const { messages } = resolveTranscript(context, compat.supportsMidConvoSystemMessages);
  const inForce = getCurrentTools(messages);
  const names = createToolNames([...inForce.map((tool) => tool.name), ...calledNames(messages)]);
  const table = createToolTable(inForce, names, compat);
  const requestTools = resolveTranscriptTools(
    messages,
    compat.supportsMidConvoToolAdditions ? "additions" : "none",
  );
  const declared = new Set(requestTools.map((tool) => tool.name));
  const lateNames = new Set(inForce.map((tool) => tool.name).filter((name) => !declared.has(name)));
  const wireMessages = convertMessages(
    transformMessages(messages, model, callIdForms(model, messages, compat)),
    { model, compat, names, tools: table, isLateTool: (tool) => lateNames.has(tool.name) },
  );
  const wireTools = requestTools.map(table.wireTool);
  markForCache(wireMessages, wireTools, options, compat);
  const hasTools = wireTools.length > 0 || lateNames.size > 0;
  const body: RequestBody = {
    model: model.id,
    messages: wireMessages,
    stream: true,
    ...(compat.supportsUsageInStreaming && { stream_options: { include_usage: true } }),
    ...(compat.supportsStore && { store: false }),
    ...(options.maxTokens !== undefined && { [compat.maxTokensField]: options.maxTokens }),
    ...(options.temperature !== undefined &&
      compat.supportsTemperature && { temperature: options.temperature }),
    ...(wireTools.length > 0 && { tools: wireTools }),
    ...(!hasTools &&
      compat.requiresToolsWithToolHistory &&
      hasToolTraffic(messages) && { tools: [] }),
    ...(hasTools && options.toolChoice !== undefined && { tool_choice: options.toolChoice }),
    ...(hasTools && compat.zaiToolStream && { tool_stream: true }),
    ...thinkingFields(model, options, compat, options.maxTokens),
    ...cacheFields(model, options, compat),
    ...routingFields(compat),
    ...(compat.vllmPriority !== undefined && { priority: compat.vllmPriority }),
    ...model.samplingParams,
    ...options.samplingParams,
  };
  return { body, names, tools: table };
}

function routingFields(compat: OpenAICompletionsCompat): Record<string, unknown> {
  const given = (routing: object): boolean => Object.keys(routing).length > 0;
  return {
    ...(given(compat.openRouterRouting) && { provider: compat.openRouterRouting }),
    ...(given(compat.vercelGatewayRouting) && {
      providerOptions: { gateway: compat.vercelGatewayRouting },
    }),
  };
}

function calledNames(messages: Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === "assistant"
      ? (message.content ?? []).flatMap((block) => (block.type === "toolCall" ? block.name : []))
      : [],
  );
}

function hasToolTraffic(messages: Message[]): boolean {
  return (
    calledNames(messages).length > 0 || messages.some((message) => message.role === "toolResult")
  );
}
