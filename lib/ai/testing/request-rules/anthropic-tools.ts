/** The published rules of Anthropic's Messages API for tools, their calls and results. */

import { isRecord, type Loose, text } from "../../vendor-json.ts";
import { allBlocks, blocksOf, thinkingType } from "./anthropic-blocks.ts";
import { isBlank, isServedBy, isUnset, type Rule, records, repeated } from "./rule.ts";
import { circularDefinitions, schemasIn } from "./schemas.ts";

const plainName = /^[A-Za-z0-9_-]{1,64}$/;
const plainId = /^[A-Za-z0-9_-]+$/;

/** Tools that the client runs; the vendor's own have a type of their own. */
function clientTools(body: Loose): Loose[] {
  return records(body.tools).filter((tool) => isUnset(tool.type) || tool.type === "custom");
}

/**
 * agents-and-tools/tool-use: an id is of letters, digits, `_` and `-` and stands once ("`tool_use` ids must be unique"), a
 * name has 64 of them at most, the input is an object. Another host's ids are its own affair.
 */
const toolUses: Rule = function* (body, model) {
  const ids: unknown[] = [];
  for (const [block, path] of allBlocks(body)) {
    if (block.type !== "tool_use" && block.type !== "server_tool_use") continue;
    ids.push(block.id);
    if (isBlank(block.id)) yield `${path} has no id`;
    else if (isServedBy(model, ["anthropic"]) && !plainId.test(text(block.id))) {
      yield `${path}: the id ${block.id}`;
    }
    if (!plainName.test(text(block.name))) yield `${path}: the name ${String(block.name)}`;
    if (!isRecord(block.input)) yield `${path}: the input is no object`;
  }
  for (const id of repeated(ids)) yield `the id ${String(id)} stands twice`;
};

/**
 * agents-and-tools/tool-use/implement-tool-use: the results of all calls of a turn stand at the beginning of the next turn,
 * one for each call; no other turn and no other block comes before them.
 */
const toolPairing: Rule = function* (body) {
  const messages = records(body.messages);
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    const blocks = blocksOf(message);
    const before = messages[index - 1];
    const calls = (turn: Loose | undefined): unknown[] =>
      turn?.role === "assistant"
        ? blocksOf(turn).flatMap(({ type, id }) => (type === "tool_use" ? [id] : []))
        : [];
    const open = calls(before);
    const answered = blocks.flatMap(({ type, tool_use_id }) =>
      type === "tool_result" ? [tool_use_id] : [],
    );
    for (const id of open) if (!answered.includes(id)) yield `${path}: no result of ${String(id)}`;
    for (const id of answered) if (!open.includes(id)) yield `${path}: no call of ${String(id)}`;
    for (const id of repeated(answered)) yield `${path}: two results of ${String(id)}`;
    const firstOther = blocks.findIndex(({ type }) => type !== "tool_result");
    const lastResult = blocks.findLastIndex(({ type }) => type === "tool_result");
    if (firstOther >= 0 && firstOther < lastResult) yield `${path}: a block before a result`;
    if (index === messages.length - 1 && calls(message).length > 0) {
      yield `${path}: calls without results at the end`;
    }
  }
};

const resultTypes = ["text", "image", "document", "search_result", "tool_reference"];

/** implement-tool-use: what a result holds. "all content must be type `text` if `is_error` is true". */
const toolResults: Rule = function* (body) {
  for (const [block, path] of allBlocks(body)) {
    if (block.type !== "tool_result" || typeof block.content === "string") continue;
    for (const { type } of records(block.content)) {
      if (!resultTypes.includes(text(type))) yield `${path}: ${String(type)} in a result`;
      if (block.is_error === true && type !== "text") yield `${path}: ${String(type)} in an error`;
    }
  }
};

/**
 * tool-use/web-search-tool and its like: "`web_search` tool use with id … was found without a corresponding
 * `web_search_tool_result` block". A call may stay open in the last turn, which is to go on, and while code waits for a
 * client's result (programmatic-tool-calling).
 */
const serverTools: Rule = function* (body) {
  const messages = records(body.messages);
  const lastAnswer = messages.findLast(({ role }) => role !== "system");
  const answered = new Set([...allBlocks(body)].map(([block]) => block.tool_use_id));
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const waitedFor = blocks.map(({ caller }) => isRecord(caller) && caller.tool_id);
    for (const { type, id } of blocks) {
      if (type !== "server_tool_use" || answered.has(id) || waitedFor.includes(id as string))
        continue;
      if (message !== lastAnswer) yield `messages[${index}]: no result of ${String(id)}`;
    }
  }
};

/** implement-tool-use: names of 64 letters, digits, `_` and `-`, each once; a schema of an object without a union at its root. */
const tools: Rule = function* (body) {
  if (Array.isArray(body.tools) && body.tools.length === 0) yield "an empty list of tools";
  for (const { name } of clientTools(body)) {
    if (!plainName.test(text(name))) yield `the name ${String(name)}`;
  }
  for (const name of repeated(records(body.tools).map((tool) => tool.name))) {
    yield `the name ${String(name)} stands twice`;
  }
  for (const { name, input_schema: schema } of clientTools(body)) {
    if (!isRecord(schema) || schema.type !== "object") {
      yield `${String(name)}: a schema that is not of an object`;
    } else if (schema.anyOf ?? schema.oneOf ?? schema.allOf) {
      yield `${String(name)}: a union at the root of the schema`;
    }
  }
};

/** build-with-claude/structured-outputs, limits: 20 strict tools, 24 optional parameters, no recursion, no boolean schema. */
const strictTools: Rule = function* (body) {
  const strict = clientTools(body).filter((tool) => tool.strict === true);
  if (strict.length > 20) yield `${strict.length} strict tools`;
  let optional = 0;
  for (const { name, input_schema: root } of strict) {
    if (!isRecord(root)) continue;
    for (const circular of circularDefinitions(root))
      yield `${String(name)}: a circle in ${circular}`;
    for (const [schema, path] of schemasIn(root)) {
      if (typeof schema === "boolean") {
        yield `${String(name)}: ${path} is a boolean`;
        continue;
      }
      const required = Array.isArray(schema.required) ? schema.required : [];
      const names = Object.keys(isRecord(schema.properties) ? schema.properties : {});
      optional += names.filter((property) => !required.includes(property)).length;
      if (schema.type === "object" && schema.additionalProperties !== false) {
        yield `${String(name)}: ${path} leaves additionalProperties open`;
      }
    }
  }
  if (optional > 24) yield `${optional} optional parameters`;
};

/**
 * implement-tool-use, "Forcing tool use": a choice needs tools, a named tool must be there, and thinking by budget goes with
 * `auto` and `none` only (adaptive thinking was seen to go with `any`).
 */
const toolChoice: Rule = function* (body) {
  if (isUnset(body.tool_choice)) return;
  const choice = isRecord(body.tool_choice) ? body.tool_choice : {};
  const type = text(choice.type);
  if (!["auto", "any", "tool", "none"].includes(type)) yield `a choice of type ${type}`;
  if (records(body.tools).length === 0) yield "a choice without tools";
  if (type === "tool" && !records(body.tools).some(({ name }) => name === choice.name)) {
    yield `no tool ${String(choice.name)}`;
  }
  if ((type === "any" || type === "tool") && thinkingType(body) === "enabled") {
    yield "a forced call beside a thinking budget";
  }
};

export const anthropicToolRules: Record<string, Rule> = {
  "tool-uses": toolUses,
  "tool-pairing": toolPairing,
  "tool-results": toolResults,
  "server-tools": serverTools,
  tools,
  "strict-tools": strictTools,
  "tool-choice": toolChoice,
};
