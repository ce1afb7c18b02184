import { resolveCacheRetention } from "../../cache-retention.ts";
import type { AnthropicMessagesCompat } from "../../compat.ts";
import { createToolNames, type ToolNames } from "../../tool-names.ts";
import { getCurrentTools, resolveTranscript } from "../../transcript.ts";
import { transformMessages } from "../../transform-messages.ts";
import type { JsonSchema, Message, Model, TranscriptContext } from "../../types.ts";
import { cacheControl, markForCache } from "./cache-control.ts";
import { thinksAdaptively } from "./compat.ts";
import { outputLimits } from "./limits.ts";
import {
  anthropicToolCallId,
  convertMessages,
  type VendorBlock,
  type VendorMessage,
} from "./messages.ts";
import type { AnthropicOptions, AnthropicThinking } from "./options.ts";
import { convertToolChoice, convertTools, type VendorTool } from "./tools.ts";

/** The body of a request, as far as this adapter writes it. */
export interface AnthropicRequest {
  model: string;
  max_tokens: number;
  stream: true;
  messages: VendorMessage[];
  system?: VendorBlock[];
  tools?: VendorTool[];
  tool_choice?: { type: string; name?: string };
  thinking?: Record<string, unknown>;
  output_config?: { effort: string };
  temperature?: number;
  metadata?: { user_id: string };
  fallbacks?: { model: string }[];
}

export interface BuiltRequest {
  body: AnthropicRequest;
  names: ToolNames;
  preferredStrict: Map<string, JsonSchema>;
}

/** @throws when a tool cannot be told as its owner requires */
export function buildBody(
  model: Model,
  context: TranscriptContext,
  options: AnthropicOptions,
  compat: AnthropicMessagesCompat,
): BuiltRequest {
  const { messages: resolved } = resolveTranscript(context, compat.supportsMidConvoSystemMessages);
  const messages = transformMessages(resolved, model, {
    normalizeToolCallId: anthropicToolCallId,
  });
  const available = getCurrentTools(messages);
  const names = createToolNames(mentionedNames(messages, available));
  const takesPrefill =
    !alwaysThinks(model) &&
    !thinksAdaptively(model, compat) &&
    (options.thinking?.type ?? "disabled") === "disabled";
  const converted = convertMessages(messages, model, compat, names, takesPrefill);
  const { tools, preferredStrict } = convertTools(available, compat, names);
  const system: VendorBlock[] = converted.system ? [{ type: "text", text: converted.system }] : [];
  const control = cacheControl(resolveCacheRetention(options), compat);
  if (control) markForCache(control, compat, system, tools, converted.messages);

  const wanted = possibleThinking(options.thinking, converted.messages);
  const limits = outputLimits(
    model,
    messages,
    options.maxTokens,
    wanted?.type === "enabled" ? wanted.budgetTokens : undefined,
  );
  const thinking: AnthropicThinking | undefined =
    wanted?.type !== "enabled"
      ? wanted
      : limits.thinkingBudget === undefined
        ? { type: "disabled" }
        : { type: "enabled", budgetTokens: limits.thinkingBudget };
  // Absent on a model that always thinks: the vendor's default holds, and that is to think.
  const thinks = thinking ? thinking.type !== "disabled" : alwaysThinks(model);
  const toolChoice = convertToolChoice(options.toolChoice, names, {
    hasTools: tools.length > 0,
    budgetThinking: thinking?.type === "enabled",
  });
  const userId = options.metadata?.user_id;
  return {
    names,
    preferredStrict,
    body: {
      model: model.id,
      max_tokens: limits.maxTokens,
      stream: true,
      ...(system.length > 0 && { system }),
      messages: converted.messages,
      ...(tools.length > 0 && { tools }),
      ...(toolChoice && { tool_choice: toolChoice }),
      ...(thinking && { thinking: vendorThinking(thinking) }),
      ...(thinking?.type === "adaptive" &&
        thinking.effort !== undefined && { output_config: { effort: thinking.effort } }),
      ...(options.temperature !== undefined &&
        compat.supportsTemperature &&
        !thinks && { temperature: options.temperature }),
      ...(typeof userId === "string" && { metadata: { user_id: userId } }),
      ...fallbacks(compat, options),
    },
  };
}

function mentionedNames(messages: Message[], tools: { name: string }[]): string[] {
  const called = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.name] : []))
      : [],
  );
  return [...tools.map((tool) => tool.name), ...called];
}

function alwaysThinks(model: Model): boolean {
  return model.reasoning && model.thinkingLevelMap?.off === null;
}

/**
 * With thinking by budget the vendor wants a running tool turn to begin with a thinking block. A turn that another model or
 * a non-thinking request began has none, so the rest of it goes without thinking.
 */
function possibleThinking(
  wanted: AnthropicThinking | undefined,
  messages: VendorMessage[],
): AnthropicThinking | undefined {
  if (wanted?.type !== "enabled") return wanted;
  const newest = messages.findLast(({ role }) => role !== "system");
  if (newest?.role !== "user" || newest.content[0]?.type !== "tool_result") return wanted;
  const first = messages.findLast(({ role }) => role === "assistant")?.content[0]?.type;
  return first === "thinking" || first === "redacted_thinking" ? wanted : { type: "disabled" };
}

function vendorThinking(thinking: AnthropicThinking): Record<string, unknown> {
  switch (thinking.type) {
    case "disabled":
      return { type: "disabled" };
    case "adaptive":
      return { type: "adaptive", display: "summarized" };
    case "enabled":
      return { type: "enabled", budget_tokens: thinking.budgetTokens, display: "summarized" };
  }
}

function fallbacks(
  compat: AnthropicMessagesCompat,
  options: AnthropicOptions,
): { fallbacks?: { model: string }[] } {
  const allowed = compat.allowedFallbackModels ?? [];
  if (allowed.length === 0 || options.fallbacks === false) return {};
  return { fallbacks: allowed.map(({ model }) => ({ model })) };
}
