/**
 * The published rules of Google's `generateContent`. Sources are pages of ai.google.dev (`api/…`, `gemini-api/docs/…`), or
 * the vendor's own words in a refusal where the page says less.
 */

import type { Model } from "../../types.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";
import { isBase64 } from "./images.ts";
import {
  checkerOf,
  isBetween,
  isBlank,
  isUnset,
  type Rule,
  records,
  repeated,
  wellFormedText,
} from "./rule.ts";
import { schemasIn } from "./schemas.ts";

/** A field by its JSON name; the vendor reads the name of the proto file too. */
function field(value: unknown, name: string): unknown {
  if (!isRecord(value)) return undefined;
  return value[name] ?? value[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

const recordOf = (value: unknown, name: string): Loose | undefined => {
  const inner = field(value, name);
  return isRecord(inner) ? inner : undefined;
};

const contentsOf = (body: Loose): Loose[] => records(body.contents);
const partsOf = (content: Loose | undefined): Loose[] => records(content?.parts);
/** A single turn may go without a role. */
const roleOf = (content: Loose | undefined): unknown => content?.role ?? "user";
const callsOf = (content: Loose | undefined): Loose[] =>
  records(partsOf(content).map((part) => field(part, "functionCall")));
const responsesOf = (content: Loose | undefined): Loose[] =>
  records(partsOf(content).map((part) => field(part, "functionResponse")));

function* allParts(body: Loose): Generator<[Loose, string]> {
  for (const [index, content] of contentsOf(body).entries()) {
    for (const [place, part] of partsOf(content).entries()) {
      yield [part, `contents[${index}].parts[${place}]`];
    }
  }
}

function declarationsOf(body: Loose): Loose[] {
  return records(body.tools).flatMap((tool) => records(field(tool, "functionDeclarations")));
}

/** Gemini's generation; the aliases that always name the newest count as 3. 0: another family. */
function geminiMajor(model: Model): number {
  if (/gemini-[a-z-]+-latest$/.test(model.id)) return 3;
  return Number(/gemini-(\d+)/.exec(model.id)?.[1] ?? 0);
}

/** api/generate-content: `contents` is required. */
const requiredFields: Rule = function* (body) {
  if (contentsOf(body).length === 0) yield "no contents";
};

/** api/caching, Content: the role is `user` or `model` ("Please use a valid role: user, model."). */
const roles: Rule = function* (body) {
  for (const [index, content] of contentsOf(body).entries()) {
    const role = roleOf(content);
    if (role !== "user" && role !== "model") yield `contents[${index}]: role ${String(role)}`;
  }
};

const dataFields = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];

/** api/caching, Part: exactly one kind of data in a part. "must include at least one parts field". */
const parts: Rule = function* (body) {
  for (const [index, content] of contentsOf(body).entries()) {
    if (partsOf(content).length === 0) yield `contents[${index}] has no parts`;
  }
  for (const [part, path] of allParts(body)) {
    const kinds = dataFields.filter((name) => !isUnset(field(part, name)));
    if (kinds.length !== 1) yield `${path} holds ${kinds.join(" and ") || "nothing"}`;
  }
};

/**
 * A text says something ("must have a text parameter"), except where it carries a signature, which
 * gemini-api/docs/thought-signatures wants back in the part that it came in.
 */
const noBlankText: Rule = function* (body) {
  for (const [part, path] of allParts(body)) {
    if (typeof part.text === "string" && isBlank(part.text) && !field(part, "thoughtSignature")) {
      yield `${path} is blank`;
    }
  }
  const system = field(body, "systemInstruction");
  for (const part of records(isRecord(system) ? system.parts : undefined)) {
    if (isBlank(part.text)) yield "systemInstruction: a part without text";
  }
};

/**
 * "Please ensure that function call turn comes immediately after a user turn or after a function response turn." A
 * conversation begins and ends with the user (gemini-api/docs/text-generation, multi-turn).
 */
const turns: Rule = function* (body) {
  const contents = contentsOf(body);
  if (roleOf(contents[0]) !== "user") yield "the first turn is not the user's";
  if (roleOf(contents.at(-1)) !== "user") yield "the last turn is not the user's";
  for (const [index, content] of contents.entries()) {
    if (callsOf(content).length === 0) continue;
    if (roleOf(content) !== "model") yield `contents[${index}]: a call in a user turn`;
    if (index === 0 || roleOf(contents[index - 1]) !== "user") {
      yield `contents[${index}]: a call turn that is not behind a user turn`;
    }
  }
};

/**
 * gemini-api/docs/function-calling: responses come in the turn right behind the calls, as many as there are calls, with the
 * calls' names and ids, and nothing else is in that turn.
 */
const callPairing: Rule = function* (body) {
  const contents = contentsOf(body);
  for (const [index, content] of contents.entries()) {
    const path = `contents[${index}]`;
    const calls = index > 0 ? callsOf(contents[index - 1]) : [];
    const responses = responsesOf(content);
    if (calls.length !== responses.length) {
      yield `${path}: ${responses.length} responses to ${calls.length} calls`;
    }
    if (responses.length > 0 && responses.length !== partsOf(content).length) {
      yield `${path}: other parts beside the responses`;
    }
    const names = responses.map(({ name }) => name).sort();
    const called = calls.map(({ name }) => name).sort();
    if (calls.length === responses.length && names.some((name, at) => name !== called[at])) {
      yield `${path}: responses of other names than the calls'`;
    }
    const ids = calls.flatMap(({ id }) => (isUnset(id) ? [] : [id]));
    for (const { id } of responses) {
      if (!isUnset(id) && !ids.includes(id)) yield `${path}: no call of ${String(id)}`;
    }
    for (const id of repeated(responses.flatMap(({ id }) => (isUnset(id) ? [] : [id])))) {
      yield `${path}: two responses to ${String(id)}`;
    }
  }
};

/** api/caching, FunctionResponse: `response` is a JSON object; function-calling: images inside one only from Gemini 3 on. */
const responses: Rule = function* (body, model) {
  for (const [part, path] of allParts(body)) {
    const response = recordOf(part, "functionResponse");
    if (!response) continue;
    if (!isRecord(response.response)) yield `${path}: a response that is no object`;
    const inside = records(response.parts);
    const major = geminiMajor(model);
    if (inside.length > 0 && major > 0 && major < 3) yield `${path}: parts in a response`;
    for (const inner of inside) {
      if (!field(inner, "inlineData") && !field(inner, "fileData")) yield `${path}: no data inside`;
    }
  }
};

/**
 * FunctionDeclaration, name: a letter or an underscore first, then letters, digits, underscores, colons, dots and dashes, 64
 * at most (cloud.google.com/vertex-ai, which is the stricter of the two pages).
 */
const functionNames: Rule = function* (body) {
  const legal = /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/;
  const named: Loose[] = [...declarationsOf(body)];
  for (const content of contentsOf(body)) named.push(...callsOf(content), ...responsesOf(content));
  for (const { name } of named) if (!legal.test(text(name))) yield `the name ${String(name)}`;
  for (const name of repeated(declarationsOf(body).map((tool) => tool.name))) {
    yield `the name ${String(name)} is declared twice`;
  }
};

/**
 * gemini-api/docs/thought-signatures: bytes as base64; from Gemini 3 on the first call of every step since the user last
 * spoke has one.
 */
const signatures: Rule = function* (body, model) {
  for (const [part, path] of allParts(body)) {
    const signature = field(part, "thoughtSignature");
    if (isUnset(signature)) continue;
    if (typeof signature !== "string" || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) {
      yield `${path}: a signature that is not base64`;
    }
  }
  if (geminiMajor(model) < 3) return;
  const contents = contentsOf(body);
  const spoke = contents.findLastIndex(
    (content) => roleOf(content) === "user" && responsesOf(content).length === 0,
  );
  for (const [index, content] of contents.entries()) {
    if (index <= spoke) continue;
    const first = partsOf(content).find((part) => field(part, "functionCall"));
    if (first && isBlank(field(first, "thoughtSignature"))) {
      yield `contents[${index}]: the first call of a step is not signed`;
    }
  }
};

const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/** gemini-api/docs/image-understanding: PNG, JPEG, WebP, HEIC and HEIF. */
const images: Rule = function* (body) {
  const check = function* (part: Loose, path: string): Generator<string> {
    const data = recordOf(part, "inlineData");
    if (!data) return;
    const type = text(field(data, "mimeType"));
    if (!type || (type.startsWith("image/") && !imageTypes.includes(type))) {
      yield `${path}: data of type ${type}`;
    }
    if (!isBase64(data.data)) yield `${path}: data that is not base64`;
  };
  for (const [part, path] of allParts(body)) {
    yield* check(part, path);
    for (const inner of records(recordOf(part, "functionResponse")?.parts))
      yield* check(inner, path);
  }
};

const schemaKeywords = new Set(
  (
    "$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf " +
    "oneOf properties additionalProperties required propertyOrdering nullable"
  ).split(" "),
);

/** api/caching, FunctionDeclaration: one schema, in one of two fields, of an object; the keywords of `parametersJsonSchema`. */
const declarations: Rule = function* (body) {
  for (const tool of declarationsOf(body)) {
    const name = text(tool.name);
    const json = field(tool, "parametersJsonSchema");
    if (!isUnset(json) && !isUnset(tool.parameters)) yield `${name}: two schemas`;
    const root = json ?? tool.parameters;
    if (!isUnset(root) && text(isRecord(root) ? root.type : "").toLowerCase() !== "object") {
      yield `${name}: a schema that is not of an object`;
    }
    for (const [schema, path] of schemasIn(json)) {
      for (const keyword of Object.keys(schema)) {
        if (!schemaKeywords.has(keyword)) yield `${name}: ${path} has ${keyword}`;
      }
    }
  }
};

/** "Function calling config is set without function_declarations." Names of functions go with ANY and VALIDATED only. */
const toolConfig: Rule = function* (body) {
  const config = recordOf(recordOf(body, "toolConfig"), "functionCallingConfig");
  if (!config) return;
  if (declarationsOf(body).length === 0) yield "a choice without functions";
  const mode = text(config.mode) || "AUTO";
  if (!["AUTO", "ANY", "NONE", "VALIDATED"].includes(mode)) yield `mode ${mode}`;
  const names = field(config, "allowedFunctionNames");
  if (!isUnset(names) && mode !== "ANY" && mode !== "VALIDATED") yield `names with mode ${mode}`;
};

/** api/generate-content, GenerationConfig: temperature from 0 to 2, at least one token of output. */
const generation: Rule = function* (body, model) {
  const config = recordOf(body, "generationConfig") ?? {};
  const { temperature } = config;
  if (!isUnset(temperature) && !isBetween(temperature, 0, 2)) yield `temperature ${temperature}`;
  const cap = field(config, "maxOutputTokens");
  if (!isUnset(cap) && !isBetween(cap, 1, model.maxTokens || Number.MAX_VALUE)) {
    yield `maxOutputTokens ${String(cap)}`;
  }
};

/** Budgets that gemini-api/docs/thinking gives for the 2.5 models; -1 leaves it to the model. */
function budgetRange(model: Model): { least: number; most: number; off: boolean } | undefined {
  if (/2\.5-pro/.test(model.id)) return { least: 128, most: 32_768, off: false };
  if (/2\.5-flash-lite/.test(model.id)) return { least: 512, most: 24_576, off: true };
  if (/2\.5-flash/.test(model.id)) return { least: 1, most: 24_576, off: true };
  return undefined;
}

/** gemini-api/docs/thinking: a level or a budget ("You can only set only one of …"), levels from Gemini 3 on, budget ranges. */
const thinking: Rule = function* (body, model) {
  const config = recordOf(recordOf(body, "generationConfig"), "thinkingConfig") ?? {};
  const level = field(config, "thinkingLevel");
  const budget = field(config, "thinkingBudget");
  if (!isUnset(level)) {
    if (!isUnset(budget)) yield "a level and a budget";
    if (!["MINIMAL", "LOW", "MEDIUM", "HIGH"].includes(text(level).toUpperCase())) {
      yield `level ${String(level)}`;
    }
    if ([1, 2].includes(geminiMajor(model))) yield "a level on a model that takes a budget";
  }
  const range = budgetRange(model);
  if (isUnset(budget) || !range || budget === -1 || (budget === 0 && range.off)) return;
  if (!isBetween(budget, range.least, range.most)) yield `a budget of ${String(budget)}`;
};

/** gemini-api/docs/text-generation: a system instruction is text. */
const systemInstruction: Rule = function* (body) {
  const system = field(body, "systemInstruction");
  if (isUnset(system)) return;
  const instruction = records(isRecord(system) ? system.parts : undefined);
  if (instruction.length === 0) yield "no parts";
  if (instruction.some((part) => typeof part.text !== "string")) yield "a part that is no text";
};

export const googleRules: Record<string, Rule> = {
  "well-formed-text": wellFormedText,
  "required-fields": requiredFields,
  roles,
  parts,
  "no-blank-text": noBlankText,
  turns,
  "call-pairing": callPairing,
  responses,
  "function-names": functionNames,
  signatures,
  images,
  declarations,
  "tool-config": toolConfig,
  generation,
  thinking,
  "system-instruction": systemInstruction,
};

export const checkGoogleRequest = checkerOf(googleRules);
