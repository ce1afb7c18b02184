import type { OpenAICompletionsCompat } from "../../compat.ts";
import { cleanJson } from "../../text.ts";
import type { ToolNames } from "../../tool-names.ts";
import type { AssistantMessage, ToolCall } from "../../types.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";
import { type ReasoningField, readSignature } from "./reasoning.ts";
import type { ToolTable } from "./tools.ts";

export type WireToolCall = { id: string; extra_content?: unknown } & (
  | { type: "function"; function: { name: string; arguments: string } }
  | { type: "custom"; custom: { name: string; input: string } }
);

export interface WireAssistantMessage extends Partial<Record<ReasoningField, string>> {
  role: "assistant";
  content: string | null;
  tool_calls?: WireToolCall[];
  reasoning_details?: Loose[];
}

/** An answer as it goes back to the host; undefined when there is nothing to send of it. */
export function assistantMessage(
  message: AssistantMessage,
  compat: OpenAICompletionsCompat,
  names: ToolNames,
  tools: ToolTable,
): WireAssistantMessage | undefined {
  const text = joinedText(message, compat);
  const calls = message.content
    .filter((block) => block.type === "toolCall")
    .map((call) => wireToolCall(call, names, tools));
  const blank = text.trim() === "";
  if (blank && calls.length === 0) return undefined;
  const noText =
    compat.requiresNonNullAssistantContent || compat.requiresAssistantAfterToolResult ? "" : null;
  const wire: WireAssistantMessage = { role: "assistant", content: blank ? noText : text };
  if (!compat.requiresThinkingAsText) addReasoning(wire, message);
  if (compat.requiresReasoningContentOnAssistantMessages) wire.reasoning_content ??= "";
  if (calls.length > 0) wire.tool_calls = calls;
  return wire;
}

/** One string, since many hosts take no list of parts here. Texts that something stood between get a line each. */
function joinedText(message: AssistantMessage, compat: OpenAICompletionsCompat): string {
  let text = "";
  let broken = false;
  for (const block of message.content) {
    if (block.type === "text") {
      if (broken && text.trim() !== "" && !text.endsWith("\n")) text += "\n";
      text += block.text;
      broken = false;
    } else if (block.type === "thinking" && compat.requiresThinkingAsText) {
      if (!block.redacted && block.thinking.trim() !== "") text += `${block.thinking}\n\n`;
    } else {
      broken = true;
    }
  }
  return text;
}

function addReasoning(wire: WireAssistantMessage, message: AssistantMessage): void {
  for (const block of message.content) {
    if (block.type !== "thinking") continue;
    const replay = readSignature(block.thinkingSignature);
    if (!replay) continue;
    if ("details" in replay) {
      wire.reasoning_details = [...(wire.reasoning_details ?? []), ...cleanJson(replay.details)];
    } else if (block.thinking) {
      const before = wire[replay.field];
      wire[replay.field] = before === undefined ? block.thinking : `${before}\n${block.thinking}`;
    }
  }
}

function wireToolCall(call: ToolCall, names: ToolNames, tools: ToolTable): WireToolCall {
  const extra = extraContent(call.thoughtSignature);
  const common = { id: call.id, ...(extra !== undefined && { extra_content: extra }) };
  const name = names.toVendor(call.name);
  const property = tools.grammarOf(call.name)?.property;
  const input = property === undefined ? undefined : call.arguments[property];
  if (typeof input === "string") return { ...common, type: "custom", custom: { name, input } };
  return {
    ...common,
    type: "function",
    function: { name, arguments: JSON.stringify(call.arguments) },
  };
}

/** What came beside a call goes back beside it (Gemini's compatible endpoint signs its calls there). */
function extraContent(signature: string | undefined): unknown {
  if (!signature?.startsWith("{")) return undefined;
  try {
    const extra: unknown = JSON.parse(signature);
    return isRecord(extra) ? extra : undefined;
  } catch {
    return undefined;
  }
}
