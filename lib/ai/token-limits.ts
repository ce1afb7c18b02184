import { systemMessageText } from "./transcript.ts";
import type { Message, Model } from "./types.ts";

const charsPerImage = 4800;
const latinCharsPerToken = 3.5;
// Chinese, Japanese and Korean text takes about a token a character, so a Latin ratio would count a third of it (X21).
const wideCharacter = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;

/** Tokens in a text, estimated by script. */
export function estimateTextTokens(text: string): number {
  const wide = text.match(wideCharacter)?.length ?? 0;
  return Math.ceil(wide + (text.length - wide) / latinCharsPerToken);
}

const imageTokens = Math.ceil(charsPerImage / latinCharsPerToken);

function estimateMessageTokens(message: Message): number {
  switch (message.role) {
    case "system":
      return (
        estimateTextTokens(systemMessageText(message)) +
        (message.toolsAdded ? estimateTextTokens(JSON.stringify(message.toolsAdded)) : 0)
      );
    case "user":
    case "toolResult":
      if (typeof message.content === "string") return estimateTextTokens(message.content);
      return (message.content ?? []).reduce(
        (sum, block) =>
          sum + (block.type === "text" ? estimateTextTokens(block.text) : imageTokens),
        0,
      );
    case "assistant":
      return (message.content ?? []).reduce((sum, block) => {
        if (block.type === "text") return sum + estimateTextTokens(block.text);
        if (block.type === "thinking") return sum + estimateTextTokens(block.thinking);
        return sum + estimateTextTokens(block.name + JSON.stringify(block.arguments));
      }, 0);
  }
}

/**
 * Tokens that a transcript takes: the last trustworthy usage that a vendor reported, and an estimate for what came after it
 * (P-176, P-177).
 */
export function estimateInputTokens(messages: Message[]): number {
  let newestBefore = Number.NEGATIVE_INFINITY;
  let base = 0;
  let from = 0;
  messages.forEach((message, index) => {
    if (
      message.role === "assistant" &&
      message.stopReason !== "error" &&
      message.stopReason !== "aborted" &&
      message.usage &&
      !message.usage.unreported &&
      message.usage.totalTokens > 0 &&
      message.timestamp >= newestBefore
    ) {
      base = message.usage.totalTokens;
      from = index + 1;
    }
    newestBefore = Math.max(newestBefore, message.timestamp);
  });
  return messages.slice(from).reduce((sum, message) => sum + estimateMessageTokens(message), base);
}

/** The cap to ask for: the caller's, but no more than the model gives; undefined where neither is known. */
export function wantedTokens(model: Model, asked: number | undefined): number | undefined {
  const most = model.maxTokens > 0 ? model.maxTokens : undefined;
  return most === undefined ? asked : Math.min(asked ?? most, most);
}

/** How many tokens an answer may ask for so that it fits the context window (P-175). */
export function fitMaxTokens(model: Model, asked: number, messages: Message[]): number {
  const window = model.contextWindow;
  if (window <= 0) return Math.max(1, asked);
  const input = estimateInputTokens(messages);
  const margin = Math.max(4096, Math.ceil(input * 0.15));
  let room = window - input - margin;
  if (room < 32768) room = Math.min(32768, window - input - 4096);
  return Math.min(asked, Math.max(1, room));
}
