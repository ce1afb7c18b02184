/**
 * What every adapter does to a transcript before it translates it, so that any vendor accepts it: failed answers go, another
 * model's thinking and signatures go, every call has exactly one result right behind it. The stored transcript is never
 * changed (A-010 to A-021, P-403, P-409).
 */

import { cleanJson, cleanText } from "./text.ts";
import type {
  AssistantContent,
  AssistantMessage,
  Message,
  Model,
  SystemMessage,
  TextContent,
  ToolCall,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "./types.ts";

export interface TransformOptions {
  /** Rewrites the id of a call that another model made into a form that this vendor takes. */
  normalizeToolCallId?: (id: string, source: AssistantMessage) => string;
}

export const userImagePlaceholder = "[An image was here. This model cannot see images.]";
export const toolImagePlaceholder = "[The tool gave an image. This model cannot see images.]";
export const missingResultText = "No result: this call was not carried out.";

/** Whether a message was made by the model that is asked now; only then do signatures go back to it. */
export function isSameModel(message: AssistantMessage, model: Model): boolean {
  return (
    message.provider === model.provider && message.api === model.api && message.model === model.id
  );
}

/** The transcript as this model can take it: pairs complete, text clean, ids unique. Gives new messages throughout. */
export function transformMessages(
  messages: Message[],
  model: Model,
  options: TransformOptions = {},
): Message[] {
  const kept = messages.filter(
    (message) =>
      message.role !== "assistant" ||
      (message.stopReason !== "error" &&
        message.stopReason !== "aborted" &&
        message.stopReason !== "pending"),
  );
  const pairs = pairResults(kept);
  const ids = new UniqueIds();
  const result: Message[] = [];
  for (const message of kept) {
    switch (message.role) {
      case "system":
        result.push(cleanSystem(message));
        break;
      case "user":
        result.push(cleanUser(message, model));
        break;
      case "toolResult":
        // Sent right behind its call, wherever it stands in the transcript.
        break;
      case "assistant":
        result.push(...assistantWithResults(message, pairs, model, ids, options));
        break;
    }
  }
  return result;
}

/** Which result answers which call: the newest turn that holds an unanswered call of that id, its first such call. */
function pairResults(messages: Message[]): Map<ToolCall, ToolResultMessage> {
  const pairs = new Map<ToolCall, ToolResultMessage>();
  const calls = new Map<string, { call: ToolCall; turn: number }[]>();
  messages.forEach((message, turn) => {
    if (message.role === "assistant") {
      for (const block of message.content ?? []) {
        if (block.type !== "toolCall") continue;
        const sameId = calls.get(block.id) ?? [];
        sameId.push({ call: block, turn });
        calls.set(block.id, sameId);
      }
    } else if (message.role === "toolResult") {
      const open = (calls.get(message.toolCallId) ?? []).filter(({ call }) => !pairs.has(call));
      const newest = open.at(-1)?.turn;
      const match = open.find(({ turn: at }) => at === newest);
      if (match) pairs.set(match.call, message);
    }
  });
  return pairs;
}

function assistantWithResults(
  message: AssistantMessage,
  pairs: Map<ToolCall, ToolResultMessage>,
  model: Model,
  ids: UniqueIds,
  options: TransformOptions,
): Message[] {
  const same = isSameModel(message, model);
  const content: AssistantContent[] = [];
  const results: ToolResultMessage[] = [];
  for (const block of message.content ?? []) {
    if (block.type !== "toolCall") {
      const sent = block.type === "text" ? textFor(block, same) : thinkingFor(block, same);
      if (sent) content.push(sent);
      continue;
    }
    // A call without a name can be neither run nor replayed.
    if (!block.name) continue;
    const wanted = same ? block.id : (options.normalizeToolCallId?.(block.id, message) ?? block.id);
    const id = ids.claim(wanted || "call");
    content.push(callFor(block, id, same));
    results.push(resultFor(block, id, pairs.get(block), model, message.timestamp));
  }
  const sent: AssistantMessage = { ...message, content };
  if (!same) {
    delete sent.native;
    delete sent.images;
  } else if (sent.native) {
    sent.native = { ...sent.native, items: cleanJson(sent.native.items) };
  }
  return [sent, ...results];
}

function textFor(block: TextContent, same: boolean): TextContent {
  const text: TextContent = { type: "text", text: cleanText(block.text) };
  if (same && block.textSignature !== undefined) text.textSignature = block.textSignature;
  return text;
}

function thinkingFor(
  block: Extract<AssistantContent, { type: "thinking" }>,
  same: boolean,
): AssistantContent | undefined {
  if (!same) return undefined;
  if (!block.redacted && !block.thinkingSignature && !block.thinking.trim()) return undefined;
  return { ...block, thinking: cleanText(block.thinking) };
}

function callFor(block: ToolCall, id: string, same: boolean): ToolCall {
  const call: ToolCall = { ...block, id, arguments: cleanJson(block.arguments ?? {}) };
  delete call.argumentsError;
  if (!same) {
    delete call.thoughtSignature;
    delete call.namespace;
  }
  return call;
}

function resultFor(
  call: ToolCall,
  id: string,
  found: ToolResultMessage | undefined,
  model: Model,
  timestamp: number,
): ToolResultMessage {
  if (!found) {
    return {
      role: "toolResult",
      toolCallId: id,
      toolName: call.name,
      content: [{ type: "text", text: missingResultText }],
      isError: true,
      timestamp,
    };
  }
  return {
    role: "toolResult",
    toolCallId: id,
    toolName: call.name,
    content: cleanBlocks(found.content, model, toolImagePlaceholder),
    isError: found.isError,
    timestamp: found.timestamp,
  };
}

function cleanSystem(message: SystemMessage): SystemMessage {
  const cleaned: SystemMessage = {
    ...message,
    content:
      typeof message.content === "string"
        ? cleanText(message.content)
        : (message.content ?? []).map((block) => ({ ...block, text: cleanText(block.text) })),
  };
  if (message.sections) cleaned.sections = cleanJson(message.sections);
  if (message.toolsAdded) cleaned.toolsAdded = cleanJson(message.toolsAdded);
  return cleaned;
}

function cleanUser(message: UserMessage, model: Model): UserMessage {
  if (typeof message.content === "string") {
    return { ...message, content: cleanText(message.content) };
  }
  return { ...message, content: cleanBlocks(message.content, model, userImagePlaceholder) };
}

/** Text without lone surrogates; for a model that cannot see, a run of images becomes one placeholder. */
function cleanBlocks(
  blocks: UserContent[] | null | undefined,
  model: Model,
  placeholder: string,
): UserContent[] {
  const result: UserContent[] = [];
  for (const block of blocks ?? []) {
    if (block.type === "text") {
      result.push({ type: "text", text: cleanText(block.text) });
    } else if (model.input.includes("image")) {
      result.push(block);
    } else {
      const last = result.at(-1);
      if (last?.type !== "text" || last.text !== placeholder) {
        result.push({ type: "text", text: placeholder });
      }
    }
  }
  return result.filter(
    (block, index) =>
      !(
        block.type === "text" &&
        block.text === placeholder &&
        result[index - 1]?.type === "text" &&
        (result[index - 1] as TextContent).text === placeholder
      ),
  );
}

/** Ids as asked for, with a counter behind one that is taken (W-35). */
class UniqueIds {
  private readonly taken = new Set<string>();

  claim(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.taken.has(id); count++) {
      const suffix = `_${count}`;
      // Behind a bar stands an item id of the vendor's own; the call id is the part before it.
      const bar = wanted.indexOf("|");
      const head = bar < 0 ? wanted : wanted.slice(0, bar);
      const tail = bar < 0 ? "" : wanted.slice(bar);
      id = head.slice(0, Math.max(1, 40 - suffix.length)) + suffix + tail;
    }
    this.taken.add(id);
    return id;
  }
}
