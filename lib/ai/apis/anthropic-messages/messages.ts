import type { AnthropicMessagesCompat } from "../../compat.ts";
import { goOnText, openingText } from "../../conversation-ends.ts";
import type { ToolNames } from "../../tool-names.ts";
import { getCurrentSystemPrompt, laterSystemMessageText } from "../../transcript.ts";
import { isSameModel } from "../../transform-messages.ts";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  SystemMessage,
  TextContent,
  ToolResultMessage,
  UserMessage,
} from "../../types.ts";
import { answeredServerCalls, replayedNative } from "./native.ts";

export type VendorBlock = { type: string } & Record<string, unknown>;
export interface VendorMessage {
  role: "user" | "assistant" | "system";
  content: VendorBlock[];
}

export interface ConvertedMessages {
  /** The prompt in front of the conversation; empty when there is none. */
  system: string;
  messages: VendorMessage[];
}

const emptyResultText = "(The tool gave no output.)";
const imageResultText = "(The tool gave an image.)";

/** An id as this vendor takes it: letters, digits, `_` and `-`, 64 at most. */
export function anthropicToolCallId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
}

/**
 * Transformed messages to the vendor's `system` and `messages`. Blank texts go, since the vendor refuses them (B057).
 * @param takesPrefill whether the vendor goes on with an answer that stands last
 */
export function convertMessages(
  messages: Message[],
  model: Model,
  compat: AnthropicMessagesCompat,
  names: ToolNames,
  takesPrefill: boolean,
): ConvertedMessages {
  const firstOther = messages.findIndex((message) => message.role !== "system");
  const leading = firstOther < 0 ? messages : messages.slice(0, firstOther);
  const rest = firstOther < 0 ? [] : messages.slice(firstOther);
  const result: VendorMessage[] = [];
  const answered = answeredServerCalls(messages);
  const last = messages.at(-1);
  // A later system message waits for the next answer: it may not stand between a call and its result.
  let waiting: SystemMessage[] = [];
  const flush = (): void => {
    const content = textBlocks(waiting.map(laterSystemMessageText));
    waiting = [];
    if (content.length === 0) return;
    // The vendor takes one behind a turn of the user's only.
    if (result.at(-1)?.role !== "user") result.push(userTurn(result.length));
    result.push({ role: "system", content });
  };
  for (let index = 0; index < rest.length; index++) {
    const message = rest[index] as Message;
    switch (message.role) {
      case "system":
        waiting.push(message);
        break;
      case "user": {
        const content = userBlocks(message);
        if (content.length > 0) result.push({ role: "user", content });
        break;
      }
      case "assistant": {
        const native = isSameModel(message, model)
          ? replayedNative(message, names, { answered, isLast: message === last })
          : undefined;
        const content = withoutLastThoughts(native ?? plainBlocks(message, compat, names));
        if (content.length === 0) break;
        flush();
        result.push({ role: "assistant", content });
        break;
      }
      case "toolResult": {
        const results: ToolResultMessage[] = [message];
        for (let next = rest[index + 1]; next?.role === "toolResult"; next = rest[index + 1]) {
          results.push(next);
          index++;
        }
        result.push({ role: "user", content: resultBlocks(results, names) });
        break;
      }
    }
  }
  flush();
  endWithUser(result, last, takesPrefill);
  if (result[0]?.role === "assistant") result.unshift(userTurn(0));
  const system = getCurrentSystemPrompt(leading);
  return { system: system.trim() ? system : "", messages: result };
}

/** Where the vendor wants a turn of the user's and there is none. @param index where it will stand */
function userTurn(index: number): VendorMessage {
  return { role: "user", content: textBlocks([index === 0 ? openingText : goOnText]) };
}

function textBlocks(texts: string[]): VendorBlock[] {
  return texts.filter((text) => text.trim()).map((text) => ({ type: "text", text }));
}

function imageBlock(image: ImageContent): VendorBlock {
  return {
    type: "image",
    source: { type: "base64", media_type: image.mimeType, data: image.data },
  };
}

function contentBlocks(content: (TextContent | ImageContent)[]): VendorBlock[] {
  return content.flatMap((block) =>
    block.type === "text" ? textBlocks([block.text]) : [imageBlock(block)],
  );
}

function userBlocks(message: UserMessage): VendorBlock[] {
  return typeof message.content === "string"
    ? textBlocks([message.content])
    : contentBlocks(message.content);
}

/** "The final block in an assistant message cannot be `thinking`." */
function withoutLastThoughts(blocks: VendorBlock[]): VendorBlock[] {
  const end = blocks.findLastIndex(({ type }) => !/^(redacted_)?thinking$/.test(type));
  return blocks.slice(0, end + 1);
}

function plainBlocks(
  message: AssistantMessage,
  compat: AnthropicMessagesCompat,
  names: ToolNames,
): VendorBlock[] {
  const blocks: VendorBlock[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        blocks.push(...textBlocks([block.text]));
        break;
      case "thinking":
        if (block.redacted) {
          if (block.thinkingSignature) {
            blocks.push({ type: "redacted_thinking", data: block.thinkingSignature });
          }
        } else if (block.thinkingSignature || compat.allowEmptySignature) {
          blocks.push({
            type: "thinking",
            thinking: block.thinking,
            signature: block.thinkingSignature ?? "",
          });
        }
        break;
      case "toolCall":
        blocks.push({
          type: "tool_use",
          id: block.id,
          name: names.toVendor(block.name),
          input: block.arguments,
        });
        break;
    }
  }
  return blocks;
}

/** All results of one turn. An error result takes text only, so its images follow behind all results. */
function resultBlocks(results: ToolResultMessage[], names: ToolNames): VendorBlock[] {
  const after: VendorBlock[] = [];
  const blocks = results.map((result): VendorBlock => {
    const content = contentBlocks(result.content);
    const texts = content.filter((block) => block.type === "text");
    const images = content.filter((block) => block.type === "image");
    const base = {
      type: "tool_result",
      tool_use_id: result.toolCallId,
      ...(result.isError && { is_error: true }),
    };
    const plain = texts.map((block) => block.text as string).join("\n");
    if (images.length === 0) return { ...base, content: plain || emptyResultText };
    if (!result.isError) {
      return {
        ...base,
        content: texts.length > 0 ? content : [{ type: "text", text: imageResultText }, ...images],
      };
    }
    after.push(
      { type: "text", text: `Images of the failed call of ${names.toVendor(result.toolName)}:` },
      ...images,
    );
    return { ...base, content: plain || imageResultText };
  });
  return [...blocks, ...after];
}

/**
 * An answer that stands last is gone on with, where the vendor does that, and may not end in white space then. One that it
 * paused itself goes back as it is.
 */
function endWithUser(
  messages: VendorMessage[],
  source: Message | undefined,
  takesPrefill: boolean,
): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return;
  const paused = source?.role === "assistant" && source.endTurn === false;
  if (paused && last.content.some(({ type }) => type === "server_tool_use")) return;
  const block = last.content.at(-1);
  if (!takesPrefill) {
    messages.push(userTurn(messages.length));
  } else if (block?.type === "text") {
    last.content[last.content.length - 1] = { ...block, text: (block.text as string).trimEnd() };
  }
}
