import type { GoogleGenerativeAICompat } from "../../compat.ts";
import { ProviderError } from "../../errors.ts";
import { createToolNames, type ToolNames } from "../../tool-names.ts";
import {
  collapseSystemMessages,
  getCurrentSystemPrompt,
  getCurrentTools,
} from "../../transcript.ts";
import { transformMessages } from "../../transform-messages.ts";
import type { Message, Model, TranscriptContext } from "../../types.ts";
import { convertMessages, type VendorContent } from "./messages.ts";
import type { GoogleOptions, GoogleThinking } from "./options.ts";
import { convertToolChoice, convertTools, type VendorTools } from "./tools.ts";

/** The body of a request, as far as this adapter writes it. The model's id is in the address. */
export interface GoogleRequest {
  contents: VendorContent[];
  systemInstruction?: { parts: { text: string }[] };
  tools?: VendorTools[];
  toolConfig?: { functionCallingConfig: { mode: string } };
  generationConfig?: {
    maxOutputTokens?: number;
    temperature?: number;
    thinkingConfig?: GoogleThinking;
  };
}

/** @throws ProviderError for an id that cannot stand in an address, and for a tool that cannot be told as required */
export function buildBody(
  model: Model,
  context: TranscriptContext,
  options: GoogleOptions,
  compat: GoogleGenerativeAICompat,
): { body: GoogleRequest; names: ToolNames } {
  if (!model.id || model.id.includes("..")) {
    throw new ProviderError(`The model id "${model.id}" cannot be asked for.`, {
      errorClass: "invalid-request",
    });
  }
  const messages = transformMessages(collapseSystemMessages(context).messages, model, {
    normalizeToolCallId: compat.toolCallIds ? googleToolCallId : undefined,
    imageTypes,
  });
  const available = getCurrentTools(messages);
  const names = createToolNames(mentionedNames(messages, available), { letterFirst: true });
  const system = getCurrentSystemPrompt(messages);
  const tools = convertTools(available, names);
  const toolConfig = convertToolChoice(options.toolChoice, available, compat);
  const generationConfig = {
    ...(options.maxTokens !== undefined && { maxOutputTokens: options.maxTokens }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.thinking && { thinkingConfig: options.thinking }),
  };
  return {
    names,
    body: {
      contents: convertMessages(messages, model, compat, names),
      ...(system.trim() && { systemInstruction: { parts: [{ text: system }] } }),
      ...(tools && { tools }),
      ...(toolConfig && { toolConfig }),
      ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    },
  };
}

/** Images that Gemini reads; GIF is not among them. */
const imageTypes = new Set(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]);

/** An id as this vendor takes it: letters, digits, `_` and `-`, 64 at most. */
function googleToolCallId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}

function mentionedNames(messages: Message[], tools: { name: string }[]): string[] {
  const called = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.name] : []))
      : [],
  );
  return [...tools.map((tool) => tool.name), ...called];
}
