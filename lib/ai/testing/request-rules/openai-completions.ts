/**
 * The published rules of the Chat Completions API. Sources are pages of platform.openai.com/docs, the vendor's own words in
 * a refusal, and for what a host does otherwise that host's pages.
 */

import type { Model } from "../../types.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";
import { isImageUrl } from "./images.ts";
import {
  checkerOf,
  isBetween,
  isBlank,
  isJsonObject,
  isServedBy,
  isUnset,
  type Rule,
  records,
  repeated,
  wellFormedText,
} from "./rule.ts";
import { hasPlainRoot, strictSchemaFaults } from "./strict-schema.ts";

const plainName = /^[A-Za-z0-9_-]{1,64}$/;
const openai = ["openai", "azure"];

const messagesOf = (body: Loose): Loose[] => records(body.messages);
const callsOf = (message: Loose | undefined): Loose[] => records(message?.tool_calls);
const functionOf = (value: Loose): Loose => {
  const inner = value.type === "custom" ? value.custom : value.function;
  return isRecord(inner) ? inner : {};
};

function flags(model: Model): Record<string, unknown> {
  return (model.compat ?? {}) as Record<string, unknown>;
}

/** guides/reasoning: the families that think before they answer. */
function isReasoner(model: Model): boolean {
  return isServedBy(model, openai) && /^(o\d|gpt-5(?!.*chat))/.test(model.id);
}

/** api-reference/chat/create: `model` and at least one message are required. */
const requiredFields: Rule = function* (body) {
  if (isBlank(body.model)) yield "no model";
  if (messagesOf(body).length === 0) yield "no messages";
};

/**
 * api-reference/chat/create: the roles. Only OpenAI knows `developer`, and not on o1-mini and o1-preview (guides/reasoning);
 * a system message may stand anywhere.
 */
const roles: Rule = function* (body, model) {
  for (const [index, { role }] of messagesOf(body).entries()) {
    if (!["system", "developer", "user", "assistant", "tool"].includes(text(role))) {
      yield `messages[${index}]: role ${String(role)}`;
    }
    if (role === "developer" && /^o1-(mini|preview)/.test(model.id)) {
      yield `messages[${index}]: developer on ${model.id}`;
    }
    if (role === "developer" && isServedBy(model, ["deepseek", "mistral", "groq", "ollama"])) {
      yield `messages[${index}]: developer on ${model.provider}`;
    }
  }
};

const userParts = ["text", "image_url", "input_audio", "file"];

/** api-reference/chat/create: which parts a message of each role may hold, none of them and no message empty. */
const content: Rule = function* (body, model) {
  for (const [index, message] of messagesOf(body).entries()) {
    const path = `messages[${index}]`;
    const { role } = message;
    if (isUnset(message.content)) {
      // Kimi K3 declares later tools in a system message without content.
      const hasOther = callsOf(message).length > 0 || records(message.tools).length > 0;
      if (!hasOther) yield `${path} has no content`;
      continue;
    }
    if (typeof message.content === "string") {
      if (isBlank(message.content) && role !== "assistant") yield `${path} is blank`;
      if (isBlank(message.content) && role === "assistant" && callsOf(message).length === 0) {
        yield `${path} is blank`;
      }
      continue;
    }
    if (records(message.content).length === 0 && callsOf(message).length === 0) {
      yield `${path} has no parts`;
    }
    for (const part of records(message.content)) {
      const type = text(part.type);
      const legal =
        role === "user"
          ? userParts.includes(type)
          : type === "text" || (role === "assistant" && ["refusal", "thinking"].includes(type));
      if (!legal) yield `${path}: a part of type ${type} in a message of role ${String(role)}`;
      if (type === "text" && isBlank(part.text)) yield `${path}: a blank text`;
      // "Content blocks are expected to be either text or image_url type."
      if (type === "input_audio" && isServedBy(model, openai) && !/audio/.test(model.id)) {
        yield `${path}: audio for ${model.id}`;
      }
    }
  }
};

/**
 * guides/function-calling: calls are answered by one tool message each, right behind ("An assistant message with
 * 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'", "messages with role 'tool' must be a
 * response to a preceeding message with 'tool_calls'").
 */
const toolPairing: Rule = function* (body) {
  let open: unknown[] = [];
  let answered: unknown[] = [];
  for (const [index, message] of [...messagesOf(body), {} as Loose].entries()) {
    const path = `messages[${index}]`;
    if (message.role === "tool") {
      const id = message.tool_call_id;
      if (!open.includes(id)) yield `${path}: no call of ${String(id)}`;
      if (answered.includes(id)) yield `${path}: a second result of ${String(id)}`;
      answered.push(id);
      continue;
    }
    for (const id of open) {
      if (!answered.includes(id)) yield `${path}: no result of ${String(id)} before it`;
    }
    open = callsOf(message).map((call) => call.id);
    answered = [];
  }
};

/** api-reference/chat/create: a call's fields; a name has 64 plain characters at most, arguments are JSON text. */
const toolCalls: Rule = function* (body) {
  const ids: unknown[] = [];
  for (const [index, message] of messagesOf(body).entries()) {
    const path = `messages[${index}]`;
    if (Array.isArray(message.tool_calls) && message.tool_calls.length === 0) {
      // "[] is too short - 'messages.…tool_calls'"
      yield `${path}: an empty list of calls`;
    }
    for (const call of callsOf(message)) {
      ids.push(call.id);
      if (isBlank(call.id)) yield `${path}: a call without id`;
      if (call.type !== "function" && call.type !== "custom") yield `${path}: type ${call.type}`;
      const called = functionOf(call);
      if (!plainName.test(text(called.name))) yield `${path}: the name ${String(called.name)}`;
      if (call.type === "custom" && typeof called.input !== "string") yield `${path}: no input`;
      if (call.type === "function" && !isJsonObject(called.arguments)) {
        yield `${path}: arguments that are no JSON object`;
      }
    }
  }
  for (const id of repeated(ids)) yield `the id ${String(id)} stands twice`;
};

/**
 * OpenAI: "maximum length 40" of an id. Mistral (mistralai.github.io/mistral-common, tools): "must be a-z, A-Z, 0-9, with a
 * length of 9".
 */
const idForms: Rule = function* (body, model) {
  for (const message of messagesOf(body)) {
    for (const id of callsOf(message).map((call) => text(call.id))) {
      if (isServedBy(model, openai) && id.length > 40) yield `an id of ${id.length} characters`;
      if (isServedBy(model, ["mistral"]) && !/^[A-Za-z0-9]{9}$/.test(id)) yield `the id ${id}`;
    }
  }
};

/** guides/images-vision: an address, or a data URL of JPEG, PNG, GIF or WebP; only to a model that sees. */
const images: Rule = function* (body, model) {
  for (const [index, message] of messagesOf(body).entries()) {
    for (const part of records(message.content)) {
      if (part.type !== "image_url") continue;
      const given = isRecord(part.image_url) ? part.image_url.url : part.image_url;
      if (!isImageUrl(given)) yield `messages[${index}]: an image that is none`;
      if (!model.input.includes("image")) yield `messages[${index}]: an image for a blind model`;
    }
  }
};

/** guides/function-calling: what a tool is; names stand once; 128 at most; "[] is too short - 'tools'". */
const tools: Rule = function* (body, model) {
  const declared = [
    ...records(body.tools),
    ...messagesOf(body).flatMap((message) => records(message.tools)),
  ];
  if (Array.isArray(body.tools) && body.tools.length === 0) {
    if (!flags(model).requiresToolsWithToolHistory && !isServedBy(model, ["litellm"])) {
      yield "an empty list";
    }
  }
  if (declared.length > 128) yield `${declared.length} tools`;
  for (const tool of declared) {
    const { name, parameters, strict } = functionOf(tool);
    if (!plainName.test(text(name))) yield `the name ${String(name)}`;
    if (tool.type !== "function") continue;
    if (!isUnset(parameters) && !hasPlainRoot(parameters)) {
      yield `${String(name)}: a schema that is not of a plain object`;
    }
    if (strict === true)
      for (const fault of strictSchemaFaults(parameters)) yield `${name}: ${fault}`;
  }
  for (const name of repeated(declared.map((tool) => functionOf(tool).name))) {
    yield `the name ${String(name)} stands twice`;
  }
};

/**
 * "'tool_choice' is only allowed when 'tools' are specified." DeepSeek's thinking mode takes no forced call
 * (api-docs.deepseek.com/guides/thinking_mode).
 */
const toolChoice: Rule = function* (body, model) {
  const choice = body.tool_choice;
  if (isUnset(choice)) return;
  const late = messagesOf(body).some((message) => records(message.tools).length > 0);
  if (records(body.tools).length === 0 && !late) yield "a choice without tools";
  if (typeof choice === "string" && !["auto", "none", "required", "any"].includes(choice)) {
    yield `the choice ${choice}`;
  }
  const thinks = isRecord(body.thinking) && body.thinking.type === "enabled";
  const forced = isRecord(choice) || choice === "required";
  if (isServedBy(model, ["deepseek"]) && thinks && forced) yield "a forced call beside thinking";
};

/** api-reference/chat/create: temperature from 0 to 2; guides/reasoning: not on a model that thinks. */
const sampling: Rule = function* (body, model) {
  const { temperature } = body;
  if (!isUnset(temperature) && !isBetween(temperature, 0, 2)) yield `temperature ${temperature}`;
  if (!isReasoner(model)) return;
  if (!isUnset(temperature) && temperature !== 1) yield "temperature on a model that thinks";
  if (!isUnset(body.stop)) yield "stop on a model that thinks";
};

/** api-reference/chat/create: one of the two caps, positive; a model that thinks takes only the newer one. */
const caps: Rule = function* (body, model) {
  const { max_tokens: old, max_completion_tokens: current } = body;
  if (!isUnset(old) && !isUnset(current)) yield "two caps";
  const cap = current ?? old;
  if (!isUnset(cap) && (!Number.isInteger(cap) || Number(cap) < 1)) yield `a cap of ${String(cap)}`;
  if (!isUnset(old) && isReasoner(model)) yield "max_tokens on a model that thinks";
};

/** "The 'stream_options' parameter is only allowed when 'stream' is enabled." */
const streaming: Rule = function* (body) {
  if (!isUnset(body.stream_options) && body.stream !== true) yield "stream_options without stream";
};

/**
 * api-docs.deepseek.com/guides/thinking_mode: while it thinks, an answer with calls goes back with its `reasoning_content`.
 * Mistral's schema has no such field and refuses what it does not know.
 */
const reasoningFields: Rule = function* (body, model) {
  const thinks = isRecord(body.thinking) && body.thinking.type === "enabled";
  for (const [index, message] of messagesOf(body).entries()) {
    if (message.role !== "assistant") continue;
    const told = typeof message.reasoning_content === "string";
    if (isServedBy(model, ["deepseek"]) && thinks && callsOf(message).length > 0 && !told) {
      yield `messages[${index}]: calls without reasoning_content`;
    }
    if (isServedBy(model, ["mistral"])) {
      for (const name of [
        "reasoning_content",
        "reasoning",
        "reasoning_text",
        "reasoning_details",
      ]) {
        if (name in message) yield `messages[${index}]: ${name}`;
      }
    }
  }
};

/**
 * docs.mistral.ai/api: "Expected last role User or Tool (or Assistant with prefix True) for serving". Hosts whose templates
 * want an answer between a result and the user are told by a flag of the model's.
 */
const turns: Rule = function* (body, model) {
  const messages = messagesOf(body);
  const last = messages.findLast(({ role }) => role !== "system" && role !== "developer");
  if (isServedBy(model, ["mistral"]) && last?.role === "assistant" && last.prefix !== true) {
    yield "the conversation ends with an answer";
  }
  if (!flags(model).requiresAssistantAfterToolResult) return;
  for (const [index, { role }] of messages.entries()) {
    if (role === "user" && messages[index - 1]?.role === "tool") {
      yield `messages[${index}]: the user right behind a result`;
    }
  }
};

/** Hosts that want a tool's name beside its result, or text beside calls, are told by a flag of the model's. */
const hostFields: Rule = function* (body, model) {
  const { requiresToolResultName, requiresNonNullAssistantContent } = flags(model);
  for (const [index, message] of messagesOf(body).entries()) {
    if (requiresToolResultName && message.role === "tool" && isBlank(message.name)) {
      yield `messages[${index}]: a result without a name`;
    }
    if (requiresNonNullAssistantContent && message.content === null) {
      yield `messages[${index}]: null as content`;
    }
  }
};

/** platform.claude.com, prompt-caching, over a router: four marks at most, none on a blank text. */
const cacheControl: Rule = function* (body) {
  const parts = messagesOf(body).flatMap((message) => records(message.content));
  const marked = [...parts, ...records(body.tools)].filter((value) => value.cache_control);
  if (marked.length > 4) yield `${marked.length} marks`;
};

export const completionsRules: Record<string, Rule> = {
  "well-formed-text": wellFormedText,
  "required-fields": requiredFields,
  roles,
  content,
  "tool-pairing": toolPairing,
  "tool-calls": toolCalls,
  "id-forms": idForms,
  images,
  tools,
  "tool-choice": toolChoice,
  sampling,
  caps,
  streaming,
  "reasoning-fields": reasoningFields,
  turns,
  "host-fields": hostFields,
  "cache-control": cacheControl,
};

export const checkCompletionsRequest = checkerOf(completionsRules);
