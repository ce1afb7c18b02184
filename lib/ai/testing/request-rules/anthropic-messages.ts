/**
 * The published rules of Anthropic's Messages API. Sources are pages of platform.claude.com/docs/en, or the vendor's own
 * words in a refusal where the page says less.
 */

import { isRecord, type Loose, text } from "../../vendor-json.ts";
import {
  allBlocks,
  blocksOf,
  claudeVersion,
  isThinkingBlock,
  thinkingType,
} from "./anthropic-blocks.ts";
import { anthropicToolRules } from "./anthropic-tools.ts";
import { commonImageTypes, isBase64 } from "./images.ts";
import {
  checkerOf,
  isBetween,
  isBlank,
  isServedBy,
  isUnset,
  type Rule,
  records,
  wellFormedText,
} from "./rule.ts";

/** api/messages/create: `model`, `max_tokens` and `messages` are required; models/overview: the most tokens of a model. */
const requiredFields: Rule = function* (body, model) {
  if (isBlank(body.model)) yield "no model";
  if (!Number.isInteger(body.max_tokens) || !isBetween(body.max_tokens, 1, Number.MAX_VALUE)) {
    yield "max_tokens is not a positive number";
  }
  if (model.maxTokens > 0 && Number(body.max_tokens) > model.maxTokens) {
    yield `max_tokens ${body.max_tokens} is more than the model gives`;
  }
  if (!Array.isArray(body.messages) || body.messages.length === 0) yield "no messages";
};

/**
 * api/messages/create: turns are `user` or `assistant`, neighbours of one role are put together, the first one is the user's.
 * Newer models take `system` turns in between: behind a user turn, and last or before an answer.
 */
const turns: Rule = function* (body) {
  const messages = records(body.messages);
  for (const [index, { role }] of messages.entries()) {
    const before = messages[index - 1]?.role;
    const after = messages[index + 1]?.role;
    if (role === "system") {
      if (before !== "user")
        yield `messages[${index}]: a system turn that is not behind a user turn`;
      if (after !== undefined && after !== "assistant") {
        yield `messages[${index}]: a system turn that is neither last nor before an answer`;
      }
    } else if (role !== "user" && role !== "assistant") {
      yield `messages[${index}]: role ${String(role)}`;
    }
  }
  if (messages[0]?.role !== "user") yield "the first turn is not the user's";
};

/**
 * about-claude/models/migration-guide: models from 4.6 on take no prefilled answer; build-with-claude/extended-thinking: nor
 * does any while it thinks. A turn that the vendor paused (`pause_turn`) is sent back last as it is.
 */
const lastTurn: Rule = function* (body, model) {
  const last = records(body.messages).findLast(({ role }) => role !== "system");
  if (last?.role !== "assistant") return;
  const blocks = blocksOf(last);
  if (blocks.some(({ type }) => type === "server_tool_use")) return;
  if (claudeVersion(model) >= 406 || thinkingType(body) !== "disabled") {
    yield "the conversation ends with an answer";
  }
  // "final assistant content cannot end with trailing whitespace"
  if (/\s$/.test(text(blocks.at(-1)?.text))) yield "the last answer ends in white space";
};

const userTypes = ["text", "image", "document", "search_result", "tool_result", "container_upload"];
const assistantTypes = [
  "text",
  "thinking",
  "redacted_thinking",
  "tool_use",
  "server_tool_use",
  "mcp_tool_use",
  "mcp_tool_result",
  "container_upload",
  "compaction",
  "fallback",
];
const systemTypes = ["text", "tool_addition", "tool_removal"];

/** api/messages/create: which blocks a turn of each role may hold. "all messages must have non-empty content". */
const blockTypes: Rule = function* (body) {
  for (const [index, message] of records(body.messages).entries()) {
    if (blocksOf(message).length === 0) yield `messages[${index}] has no content`;
  }
  for (const [block, path, role] of allBlocks(body)) {
    const type = text(block.type);
    const legal =
      role === "user"
        ? userTypes.includes(type)
        : role === "system"
          ? systemTypes.includes(type)
          : assistantTypes.includes(type) || type.endsWith("_tool_result");
    if (!legal) yield `${path}: a block of type ${type} in a turn of role ${role}`;
  }
};

/** api/messages/create: "text content blocks must be non-empty", and "must contain non-whitespace text". */
const noBlankText: Rule = function* (body) {
  if (typeof body.system === "string" && isBlank(body.system)) yield "a blank system";
  for (const block of records(body.system))
    if (isBlank(block.text)) yield "a blank block of system";
  for (const [block, path] of allBlocks(body)) {
    if (block.type === "text" && isBlank(block.text)) yield `${path} is blank`;
    if (block.type !== "tool_result") continue;
    for (const inner of records(block.content)) {
      if (inner.type === "text" && isBlank(inner.text)) yield `${path}: a blank text inside`;
    }
  }
};

/**
 * build-with-claude/extended-thinking: thinking goes back with its signature, redacted thinking with its data. "The final
 * block in an assistant message cannot be `thinking`."
 */
const thinkingBlocks: Rule = function* (body, model) {
  const emptyAllowed = (model.compat as { allowEmptySignature?: boolean })?.allowEmptySignature;
  for (const [block, path] of allBlocks(body)) {
    if (block.type === "thinking") {
      if (typeof block.thinking !== "string") yield `${path} has no text`;
      if (isBlank(block.signature) && !emptyAllowed) yield `${path} is not signed`;
    }
    if (block.type === "redacted_thinking" && isBlank(block.data)) yield `${path} has no data`;
  }
  for (const [index, message] of records(body.messages).entries()) {
    if (isThinkingBlock(blocksOf(message).at(-1))) yield `messages[${index}] ends with thinking`;
  }
};

/**
 * build-with-claude/extended-thinking: a budget is 1024 or more and less than `max_tokens`; adaptive-thinking: which models
 * decide by themselves, and that from 4.7 on they take no budget.
 */
const thinkingConfig: Rule = function* (body, model) {
  const type = thinkingType(body);
  if (!["disabled", "enabled", "adaptive"].includes(type)) yield `thinking of type ${type}`;
  const version = isServedBy(model, ["anthropic"]) ? claudeVersion(model) : 0;
  if (type === "adaptive" && version > 0 && version < 406) yield "adaptive on an older model";
  if (type !== "enabled" || !isRecord(body.thinking)) return;
  const budget = body.thinking.budget_tokens;
  if (!isBetween(budget, 1024, Number.MAX_VALUE)) yield `a budget of ${String(budget)}`;
  if (Number(budget) >= Number(body.max_tokens)) yield "a budget that is not below max_tokens";
  if (version >= 407) yield "a budget on a model that takes none";
};

/**
 * extended-thinking, "Preserving thinking blocks": with a thinking budget, the answer whose calls are being answered begins
 * with thinking ("Expected `thinking` or `redacted_thinking`, but found …").
 */
const thinkingFirst: Rule = function* (body) {
  if (thinkingType(body) !== "enabled") return;
  const messages = records(body.messages).filter(({ role }) => role !== "system");
  if (blocksOf(messages.at(-1))[0]?.type !== "tool_result") return;
  if (!isThinkingBlock(blocksOf(messages.at(-2))[0]))
    yield "the running turn begins without thinking";
};

/** api/messages/create: temperature from 0 to 1; extended-thinking: none beside thinking, nor top_k; none from 4.7 on. */
const sampling: Rule = function* (body, model) {
  const { temperature } = body;
  if (!isUnset(temperature) && !isBetween(temperature, 0, 1)) yield `temperature ${temperature}`;
  if (!isUnset(temperature) && isServedBy(model, ["anthropic"]) && claudeVersion(model) >= 407) {
    yield "temperature on a model that takes none";
  }
  if (thinkingType(body) === "disabled") return;
  if (!isUnset(temperature) && temperature !== 1) yield "temperature beside thinking";
  if (!isUnset(body.top_k)) yield "top_k beside thinking";
};

/** build-with-claude/prompt-caching: four marks at most, longer ones first, none on thinking. */
const cacheControl: Rule = function* (body) {
  const marks: unknown[] = [];
  const collect = (blocks: Loose[]): void => {
    for (const block of blocks) {
      if (isRecord(block.cache_control)) marks.push(block.cache_control.ttl ?? "5m");
    }
  };
  collect(records(body.tools));
  collect(records(body.system));
  for (const message of records(body.messages)) collect(blocksOf(message));
  collect([body]);
  if (marks.length > 4) yield `${marks.length} marks`;
  if (marks.indexOf("5m") >= 0 && marks.indexOf("5m") < marks.lastIndexOf("1h")) {
    yield "a mark of an hour behind a shorter one";
  }
  for (const [block, path] of allBlocks(body)) {
    if (isThinkingBlock(block) && block.cache_control) yield `${path}: a mark on thinking`;
  }
};

/** build-with-claude/vision: JPEG, PNG, GIF and WebP, as base64, by address or by file id. */
const images: Rule = function* (body) {
  const check = function* (block: Loose, path: string): Generator<string> {
    if (block.type !== "image") return;
    const source = isRecord(block.source) ? block.source : {};
    if (source.type === "base64") {
      if (!commonImageTypes.has(text(source.media_type))) {
        yield `${path}: an image of type ${String(source.media_type)}`;
      }
      if (!isBase64(source.data)) yield `${path}: an image that is not base64`;
    } else if (source.type !== "url" && source.type !== "file") {
      yield `${path}: an image without a source`;
    }
  };
  for (const [block, path] of allBlocks(body)) {
    yield* check(block, path);
    for (const inner of records(block.content)) yield* check(inner, path);
  }
};

/** build-with-claude/effort: the words; `xhigh` came with 4.7. */
const effort: Rule = function* (body, model) {
  const word = isRecord(body.output_config) ? body.output_config.effort : undefined;
  if (isUnset(word)) return;
  if (!["low", "medium", "high", "xhigh", "max"].includes(text(word)))
    yield `effort ${String(word)}`;
  const version = isServedBy(model, ["anthropic"]) ? claudeVersion(model) : 0;
  if (word === "xhigh" && version > 0 && version < 407) yield "xhigh on an older model";
};

export const anthropicRules: Record<string, Rule> = {
  "well-formed-text": wellFormedText,
  "required-fields": requiredFields,
  turns,
  "last-turn": lastTurn,
  "block-types": blockTypes,
  "no-blank-text": noBlankText,
  ...anthropicToolRules,
  "thinking-blocks": thinkingBlocks,
  "thinking-config": thinkingConfig,
  "thinking-first": thinkingFirst,
  sampling,
  "cache-control": cacheControl,
  images,
  effort,
};

export const checkAnthropicRequest = checkerOf(anthropicRules);
