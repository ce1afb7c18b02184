import type { OpenAIResponsesCompat } from "../../compat.ts";
import { shortHash } from "../../text.ts";
import type { ToolNames } from "../../tool-names.ts";
import { contentText, laterSystemMessageText, systemMessageText } from "../../transcript.ts";
import { isSameModel, transformMessages } from "../../transform-messages.ts";
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  Model,
  SystemMessage,
  Tool,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../types.ts";
import type { Loose } from "./loose.ts";
import { nativeItems } from "./native.ts";
import { type Entry, withoutOrphans } from "./orphans.ts";
import { withoutRepeatedIds } from "./repeated-ids.ts";
import { readReasoningItem, readTextSignature, splitCallId } from "./signatures.ts";

export interface InputContext {
  model: Model;
  compat: OpenAIResponsesCompat;
  names: ToolNames;
  /** The parameter of each tool that takes free text, by our name of the tool. */
  customTools: ReadonlyMap<string, string>;
  /** Tools that are declared in place instead of in the request's list; absent where there is only that list. */
  declareTools?: (tools: Tool[]) => unknown[];
}

const emptyResult = "(The tool gave no output.)";

/** The transcript as the items of a request's input. */
export function convertMessages(messages: Message[], context: InputContext): unknown[] {
  const ready = transformMessages(messages, context.model, { normalizeToolCallId: plainCallId });
  const state: InputState = { ids: new CallIds(), messages: 0 };
  return withoutRepeatedIds(
    ready.flatMap((message, index) => messageItems(message, index === 0, context, state)),
  );
}

/** What is counted over a whole request. */
interface InputState {
  ids: CallIds;
  messages: number;
}

function messageItems(
  message: Message,
  leading: boolean,
  context: InputContext,
  state: InputState,
): unknown[] {
  switch (message.role) {
    case "system":
      return systemItems(message, leading, context);
    case "user":
      return userItems(message);
    case "assistant":
      return assistantItems(message, context, state);
    case "toolResult":
      return [resultItem(message, context, state.ids)];
  }
}

/** The id of a call that another model made: its call part, of the characters that every host takes. */
function plainCallId(id: string): string {
  const cleaned = splitCallId(id).callId.replace(/[^A-Za-z0-9_-]/g, "_");
  return cleaned.slice(0, 64).replace(/_+$/, "") || `call_${shortHash(id)}`;
}

/** The vendor's id of every call: the part before the bar, which two of our ids may share. */
class CallIds {
  private readonly byId = new Map<string, string>();
  private readonly taken = new Set<string>();

  of(id: string): string {
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const { callId } = splitCallId(id);
    let free = callId;
    for (let count = 2; this.taken.has(free); count++) free = `${callId}_${count}`;
    this.byId.set(id, free);
    this.taken.add(free);
    return free;
  }
}

function systemItems(message: SystemMessage, leading: boolean, context: InputContext): unknown[] {
  const { model, compat, declareTools } = context;
  const role = model.reasoning && compat.supportsDeveloperRole ? "developer" : "system";
  const parts = [leading ? systemMessageText(message) : laterSystemMessageText(message)];
  if (!leading && message.toolsRemoved?.length) {
    const removed = message.toolsRemoved.map(({ name }) => context.names.toVendor(name));
    parts.push(`[These tools are no longer available: ${removed.join(", ")}]`);
  }
  const text = parts.filter((part) => part.trim()).join("\n\n");
  const items: unknown[] = text ? [{ role, content: text }] : [];
  if (declareTools && message.toolsAdded?.length) {
    items.push({
      type: "additional_tools",
      role: "developer",
      tools: declareTools(message.toolsAdded),
    });
  }
  return items;
}

function userItems(message: UserMessage): unknown[] {
  const content =
    typeof message.content === "string"
      ? inputParts([{ type: "text", text: message.content }])
      : inputParts(message.content);
  return content.length > 0 ? [{ role: "user", content }] : [];
}

/** Text and images; blank text is left out. */
function inputParts(blocks: UserContent[]): unknown[] {
  return blocks.flatMap((block): unknown[] => {
    if (block.type === "text") {
      return block.text.trim() ? [{ type: "input_text", text: block.text }] : [];
    }
    const url = `data:${block.mimeType};base64,${block.data}`;
    return [{ type: "input_image", detail: "auto", image_url: url }];
  });
}

function assistantItems(
  message: AssistantMessage,
  context: InputContext,
  state: InputState,
): unknown[] {
  const calls = message.content.filter((block) => block.type === "toolCall");
  const native = nativeItems(message, context.compat, context.names);
  if (native) {
    let next = 0;
    return native.map((item) =>
      item.type === "function_call" || item.type === "custom_tool_call"
        ? { ...item, call_id: state.ids.of((calls[next++] as ToolCall).id) }
        : item,
    );
  }
  const same = isSameModel(message, context.model);
  const entries = ordered(message.content, context.compat).map((block) =>
    entryOf(block, context, state.ids, same),
  );
  return withoutOrphans(entries, context.compat).map((item) =>
    item.type === "message" && !item.id ? { ...item, id: `msg_${state.messages++}` } : item,
  );
}

/** A server that knows no items of its own finds the outputs of calls by what stands beside them, so calls come last. */
function ordered(content: AssistantContent[], compat: OpenAIResponsesCompat): AssistantContent[] {
  if (compat.supportsEncryptedReasoning) return content;
  const isCall = (block: AssistantContent): boolean => block.type === "toolCall";
  return [...content.filter((block) => !isCall(block)), ...content.filter(isCall)];
}

function entryOf(
  block: AssistantContent,
  context: InputContext,
  ids: CallIds,
  same: boolean,
): Entry {
  switch (block.type) {
    case "thinking":
      return { kind: "reasoning", item: readReasoningItem(block.thinkingSignature) };
    case "text": {
      if (!block.text.trim()) return { kind: "left-out" };
      const { id, phase } = readTextSignature(block.textSignature);
      const item: Loose = {
        type: "message",
        role: "assistant",
        status: "completed",
        ...(id && { id: id.length <= 64 ? id : `msg_${shortHash(id)}` }),
        content: [{ type: "output_text", text: block.text, annotations: [] }],
        ...(phase && { phase }),
      };
      return { kind: "item", item, original: id !== undefined };
    }
    case "toolCall": {
      const item = callItem(block, context, ids, same);
      const { itemId } = splitCallId(block.id);
      return { kind: "item", item, original: same && (!itemId || item.id !== undefined) };
    }
  }
}

function callItem(call: ToolCall, context: InputContext, ids: CallIds, same: boolean): Loose {
  const parameter = customParameter(call.id, call.name, context);
  const prefix = parameter === undefined ? "fc_" : "ctc_";
  const { itemId } = splitCallId(call.id);
  const shared = {
    call_id: ids.of(call.id),
    ...(same && itemId?.startsWith(prefix) && { id: itemId }),
    name: context.names.toVendor(call.name),
    ...(call.namespace && { namespace: call.namespace }),
  };
  if (parameter === undefined) {
    return { type: "function_call", ...shared, arguments: JSON.stringify(call.arguments) };
  }
  const input = call.arguments[parameter] ?? Object.values(call.arguments)[0];
  return {
    type: "custom_tool_call",
    ...shared,
    input: typeof input === "string" ? input : JSON.stringify(input ?? ""),
  };
}

/** The parameter of a call with free-form input: by the tool, or by the item's id where the tool is gone. */
function customParameter(id: string, name: string, context: InputContext): string | undefined {
  const known = context.customTools.get(name);
  if (known !== undefined) return known;
  const { itemId } = splitCallId(id);
  return itemId && /^ctc?_/.test(itemId) ? defaultInputParameter : undefined;
}

/** Where the text of a call goes whose tool is not known. */
export const defaultInputParameter = "input";

function resultItem(message: ToolResultMessage, context: InputContext, ids: CallIds): unknown {
  const custom = customParameter(message.toolCallId, message.toolName, context) !== undefined;
  return {
    type: custom ? "custom_tool_call_output" : "function_call_output",
    call_id: ids.of(message.toolCallId),
    output: resultOutput(message),
  };
}

function resultOutput(message: ToolResultMessage): string | unknown[] {
  if (message.content.some((block) => block.type === "image")) return inputParts(message.content);
  const text = contentText(message.content.filter((block) => block.type === "text"));
  return text.trim() ? text : emptyResult;
}
