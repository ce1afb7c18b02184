/**
 * What every adapter does to a transcript before it translates it, so that any vendor accepts it: failed answers go, another
 * model's thinking and signatures go, every call has exactly one result right behind it. The stored transcript is never
 * changed (A-010 to A-021, P-403, P-409).
 */

import { commonImageTypes, sendableImage } from "./image-data.ts";
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
  /** Another id for a call whose id is taken already; `count` goes up until one is free. Default: the id with the count. */
  distinctToolCallId?: (id: string, count: number) => string;
  /** MIME types of images that this vendor takes. */
  imageTypes?: ReadonlySet<string>;
}

export const userImagePlaceholder = "[An image was here. This model cannot see images.]";
export const toolImagePlaceholder = "[The tool gave an image. This model cannot see images.]";
export const userImageUnreadable = "[An image was here, in a form that this model cannot read.]";
export const toolImageUnreadable =
  "[The tool gave an image in a form that this model cannot read.]";
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
  const ids = new UniqueIds(options.distinctToolCallId ?? withCount);
  const images: ImageRoom = {
    sees: model.input.includes("image"),
    types: options.imageTypes ?? commonImageTypes,
  };
  const result: Message[] = [];
  for (const message of kept) {
    switch (message.role) {
      case "system":
        result.push(cleanSystem(message));
        break;
      case "user":
        result.push(cleanUser(message, images));
        break;
      case "toolResult":
        // Sent right behind its call, wherever it stands in the transcript.
        break;
      case "assistant":
        result.push(...assistantWithResults(message, { pairs, model, ids, images, options }));
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

interface Room {
  pairs: Map<ToolCall, ToolResultMessage>;
  model: Model;
  ids: UniqueIds;
  images: ImageRoom;
  options: TransformOptions;
}

interface ImageRoom {
  sees: boolean;
  types: ReadonlySet<string>;
}

function assistantWithResults(message: AssistantMessage, room: Room): Message[] {
  const { pairs, model, ids, images, options } = room;
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
    const own = cleanText(block.id);
    const wanted = same ? own : (options.normalizeToolCallId?.(own, message) ?? own);
    const id = ids.claim(wanted || "call");
    content.push(callFor(block, id, same));
    results.push(resultFor(block, id, pairs.get(block), images, message.timestamp));
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
  images: ImageRoom,
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
    content: cleanBlocks(
      found.content,
      images,
      images.sees ? toolImageUnreadable : toolImagePlaceholder,
    ),
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
  if (message.toolsAdded) {
    // Each name is declared once, as it is: what a vendor is told of it is the adapter's affair.
    const added = new Map(message.toolsAdded.map((tool) => [tool.name, tool]));
    cleaned.toolsAdded = [...added].map(([name, tool]) => ({ ...cleanJson(tool), name }));
  }
  return cleaned;
}

function cleanUser(message: UserMessage, images: ImageRoom): UserMessage {
  if (typeof message.content === "string") {
    return { ...message, content: cleanText(message.content) };
  }
  const placeholder = images.sees ? userImageUnreadable : userImagePlaceholder;
  return { ...message, content: cleanBlocks(message.content, images, placeholder) };
}

/** Text without lone surrogates; a run of images that the model cannot see or read becomes one placeholder. */
function cleanBlocks(
  blocks: UserContent[] | null | undefined,
  images: ImageRoom,
  placeholder: string,
): UserContent[] {
  const result: UserContent[] = [];
  for (const block of blocks ?? []) {
    const image =
      block.type === "image" && images.sees ? sendableImage(block, images.types) : undefined;
    if (block.type === "text") {
      result.push({ type: "text", text: cleanText(block.text) });
    } else if (image) {
      result.push(image);
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

/** Ids as asked for, and others for those that are taken (W-35). */
class UniqueIds {
  private readonly taken = new Set<string>();

  constructor(private readonly distinct: (id: string, count: number) => string) {}

  claim(wanted: string): string {
    let id = wanted;
    for (let count = 2; this.taken.has(id); count++) id = this.distinct(wanted, count);
    this.taken.add(id);
    return id;
  }
}

function withCount(id: string, count: number): string {
  const suffix = `_${count}`;
  // Behind a bar stands an item id of the vendor's own; the call id is the part before it.
  const bar = id.indexOf("|");
  const head = bar < 0 ? id : id.slice(0, bar);
  const tail = bar < 0 ? "" : id.slice(bar);
  return head.slice(0, Math.max(1, 40 - suffix.length)) + suffix + tail;
}
