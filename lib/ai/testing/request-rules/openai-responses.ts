/**
 * The published rules of the Responses API. Sources are pages of platform.openai.com/docs, or the vendor's own words in a
 * refusal where the page says less.
 */

import type { Model } from "../../types.ts";
import { type Loose, text } from "../../vendor-json.ts";
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
const openai = ["openai", "openai-codex", "chatgpt", "azure"];

const itemsOf = (body: Loose): Loose[] => records(body.input);
/** A message may go without a type. */
const typeOf = (item: Loose | undefined): string =>
  item ? text(item.type) || (isUnset(item.role) ? "" : "message") : "";
const isCall = (item: Loose): boolean =>
  typeOf(item) === "function_call" || typeOf(item) === "custom_tool_call";
const isOutput = (item: Loose): boolean =>
  typeOf(item) === "function_call_output" || typeOf(item) === "custom_tool_call_output";

/** guides/reasoning: the families that think before they answer. */
function isReasoner(model: Model): boolean {
  return isServedBy(model, openai) && /^(o\d|gpt-5(?!.*chat))/.test(model.id);
}

/** api-reference/responses/create: a model, and something to answer. */
const requiredFields: Rule = function* (body) {
  if (isBlank(body.model)) yield "no model";
  const given = typeof body.input === "string" ? !isBlank(body.input) : itemsOf(body).length > 0;
  if (!given && isUnset(body.previous_response_id)) yield "no input";
};

const itemTypes = new Set(
  (
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output item_reference " +
    "file_search_call computer_call computer_call_output web_search_call image_generation_call code_interpreter_call " +
    "local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call apply_patch_call_output " +
    "mcp_list_tools mcp_approval_request mcp_approval_response mcp_call tool_search_call tool_search_output " +
    "additional_tools compaction program program_output"
  ).split(" "),
);

/** api-reference/responses/create, `input`: the kinds of items. Other makers' hosts may add their own. */
const itemKinds: Rule = function* (body, model) {
  for (const [index, item] of itemsOf(body).entries()) {
    const type = typeOf(item);
    if (!type || (isServedBy(model, openai) && !itemTypes.has(type))) {
      yield `input[${index}] is of type ${type}`;
    }
  }
};

const inputParts = ["input_text", "input_image", "input_file", "input_audio"];

/** api-reference/responses/create: the roles and parts of a message; none is empty. */
const messages: Rule = function* (body) {
  for (const [index, item] of itemsOf(body).entries()) {
    if (typeOf(item) !== "message") continue;
    const path = `input[${index}]`;
    const { role } = item;
    if (!["user", "assistant", "system", "developer"].includes(text(role))) {
      yield `${path}: role ${String(role)}`;
    }
    if (typeof item.content === "string") {
      if (isBlank(item.content)) yield `${path} is blank`;
      continue;
    }
    if (records(item.content).length === 0) yield `${path} has no content`;
    for (const part of records(item.content)) {
      const type = text(part.type);
      const legal =
        role === "assistant"
          ? ["output_text", "refusal"].includes(type)
          : inputParts.includes(type);
      if (!legal) yield `${path}: a part of type ${type} in a message of role ${String(role)}`;
      if (type.endsWith("_text") && isBlank(part.text)) yield `${path}: a blank text`;
    }
  }
};

/** api-reference/responses/create: a call has an id, 64 long at most, a plain name and JSON text as arguments; ids stand once. */
const calls: Rule = function* (body) {
  const items = itemsOf(body).filter(isCall);
  for (const item of items) {
    if (isBlank(item.call_id)) yield "a call without call_id";
    if (text(item.call_id).length > 64)
      yield `a call_id of ${text(item.call_id).length} characters`;
    if (!plainName.test(text(item.name))) yield `the name ${String(item.name)}`;
    if (item.type === "custom_tool_call" && typeof item.input !== "string") yield "no input";
    if (item.type === "function_call" && !isJsonObject(item.arguments)) {
      yield `arguments of ${String(item.call_id)} that are no JSON object`;
    }
  }
  for (const id of repeated(items.map((item) => item.call_id))) {
    yield `the call_id ${String(id)} stands twice`;
  }
};

/**
 * guides/function-calling: "No tool output found for function call …", "No tool call found for function call output with
 * call_id …". An output stands behind its call, is of its kind, and is the only one.
 */
const callPairing: Rule = function* (body, model) {
  const items = itemsOf(body);
  const open = new Map<unknown, string>();
  const answered: unknown[] = [];
  for (const [index, item] of items.entries()) {
    if (isCall(item)) open.set(item.call_id, typeOf(item));
    if (!isOutput(item)) continue;
    const kind = open.get(item.call_id);
    if (kind === undefined && isUnset(body.previous_response_id)) {
      yield `input[${index}]: no call of ${String(item.call_id)}`;
    }
    if (kind !== undefined && typeOf(item) !== `${kind}_output`) {
      yield `input[${index}]: an output of another kind than its call`;
    }
    answered.push(item.call_id);
  }
  for (const id of open.keys()) if (!answered.includes(id)) yield `no output of ${String(id)}`;
  for (const id of repeated(answered)) yield `two outputs of ${String(id)}`;
  if (!isServedBy(model, ["deepseek"])) return;
  // DeepSeek reads calls with nothing in between as one answer, whose outputs must follow.
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    if (isCall(item) && next && !isCall(next) && !isOutput(next)) {
      yield `input[${index}]: something between a call and the outputs`;
    }
  }
};

/** api-reference/responses/create: the output of a call is text, or a list of text, images and files. */
const outputs: Rule = function* (body) {
  for (const [index, item] of itemsOf(body).entries()) {
    if (!isOutput(item)) continue;
    const path = `input[${index}]`;
    if (typeof item.output === "string") continue;
    if (records(item.output).length === 0) yield `${path} has no output`;
    for (const part of records(item.output)) {
      if (!inputParts.includes(text(part.type))) yield `${path}: a part of type ${part.type}`;
      if (part.type === "input_text" && isBlank(part.text)) yield `${path}: a blank text`;
    }
  }
};

const idPrefixes: Record<string, string> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ctc",
};

/** "Invalid 'input[…].id': … Expected an ID that begins with 'msg'", "string too long … 64", "Duplicate item found with id". */
const itemIds: Rule = function* (body, model) {
  if (!isServedBy(model, openai)) return;
  const items = itemsOf(body).filter((item) => typeof item.id === "string");
  for (const item of items) {
    const prefix = idPrefixes[typeOf(item)] ?? "";
    if (!text(item.id).startsWith(prefix)) yield `${item.id} does not begin with ${prefix}`;
    if (text(item.id).length > 64) yield `an id of ${text(item.id).length} characters`;
  }
  for (const id of repeated(items.map((item) => item.id)))
    yield `the id ${String(id)} stands twice`;
};

/**
 * guides/reasoning, "Keeping reasoning items in context": "Item … of type 'reasoning' was provided without its required
 * following item". What follows is what the model made: a call, a server-side item, or a message by its id.
 */
const reasoningFollowed: Rule = function* (body, model) {
  if (!isServedBy(model, openai)) return;
  const items = itemsOf(body);
  for (const [index, item] of items.entries()) {
    if (typeOf(item) !== "reasoning") continue;
    const next = items[index + 1];
    const made =
      next !== undefined &&
      !isOutput(next) &&
      (typeOf(next) !== "message" || (next.role === "assistant" && !isUnset(next.id)));
    if (!made) yield `input[${index}]: reasoning without the item that followed it`;
  }
};

/** guides/reasoning, "Encrypted reasoning items": with `store: false` reasoning goes back with its encrypted content. */
const reasoningWhole: Rule = function* (body, model) {
  for (const [index, item] of itemsOf(body).entries()) {
    if (typeOf(item) !== "reasoning") continue;
    if (!Array.isArray(item.summary)) yield `input[${index}]: reasoning without a summary list`;
    if (body.store === false && isServedBy(model, openai) && isBlank(item.encrypted_content)) {
      yield `input[${index}]: reasoning that is not stored anywhere`;
    }
  }
};

/** guides/images-vision: JPEG, PNG, GIF or WebP; only to a model that sees. guides/pdf-files: files are documents. */
const files: Rule = function* (body, model) {
  const parts = itemsOf(body).flatMap((item) => [
    ...records(item.content),
    ...records(item.output),
  ]);
  for (const part of parts) {
    if (part.type === "input_image") {
      if (isUnset(part.file_id) && !isImageUrl(part.image_url)) yield "an image that is none";
      if (!model.input.includes("image")) yield "an image for a blind model";
      if (
        !isUnset(part.detail) &&
        !["auto", "low", "high", "original"].includes(text(part.detail))
      ) {
        yield `detail ${String(part.detail)}`;
      }
    }
    if (part.type === "input_file" && /^data:(audio|video)\//.test(text(part.file_data))) {
      yield "a file that is no document";
    }
  }
};

/** guides/function-calling: functions with a name and a schema of an object; strict ones as structured outputs want it. */
const tools: Rule = function* (body) {
  if (Array.isArray(body.tools) && body.tools.length === 0) yield "an empty list";
  const lists = [body.tools, ...itemsOf(body).map((item) => item.tools)];
  for (const list of lists) {
    for (const { type, name, parameters, strict } of records(list)) {
      if (type !== "function" && type !== "custom") continue;
      if (!plainName.test(text(name))) yield `the name ${String(name)}`;
      if (type !== "function") continue;
      if (!isUnset(parameters) && !hasPlainRoot(parameters)) {
        yield `${String(name)}: a schema that is not of a plain object`;
      }
      if (strict !== true) continue;
      for (const fault of strictSchemaFaults(parameters)) yield `${String(name)}: ${fault}`;
    }
    for (const name of repeated(
      records(list).flatMap(({ name }) => (isUnset(name) ? [] : [name])),
    )) {
      yield `the name ${String(name)} stands twice`;
    }
  }
};

/** api-reference/responses/create: "Tool choice … must be specified with tools". */
const toolChoice: Rule = function* (body) {
  const choice = body.tool_choice;
  if (isUnset(choice)) return;
  if (typeof choice === "string" && !["auto", "none", "required"].includes(choice)) {
    yield `the choice ${choice}`;
  }
  const declared = [body.tools, ...itemsOf(body).map((item) => item.tools)].flatMap(records);
  if (declared.length === 0) yield "a choice without tools";
};

/** api-reference/responses/create: temperature from 0 to 2; guides/reasoning: not on a model that thinks. */
const sampling: Rule = function* (body, model) {
  const { temperature } = body;
  if (isUnset(temperature)) return;
  if (!isBetween(temperature, 0, 2)) yield `temperature ${temperature}`;
  if (isReasoner(model) && temperature !== 1) yield "temperature on a model that thinks";
};

/** api-reference/responses/create: 16 tokens of output at least; a cache key of 64 characters; background needs store. */
const limits: Rule = function* (body) {
  const cap = body.max_output_tokens;
  if (!isUnset(cap) && !isBetween(cap, 16, Number.MAX_VALUE)) yield `max_output_tokens ${cap}`;
  if ([...text(body.prompt_cache_key)].length > 64) yield "a long prompt_cache_key";
  if (body.background === true && body.store === false) yield "background without store";
};

export const responsesRules: Record<string, Rule> = {
  "well-formed-text": wellFormedText,
  "required-fields": requiredFields,
  "item-kinds": itemKinds,
  messages,
  calls,
  "call-pairing": callPairing,
  outputs,
  "item-ids": itemIds,
  "reasoning-followed": reasoningFollowed,
  "reasoning-whole": reasoningWhole,
  files,
  tools,
  "tool-choice": toolChoice,
  sampling,
  limits,
};

export const checkResponsesRequest = checkerOf(responsesRules);
