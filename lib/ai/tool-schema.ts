/**
 * Tool schemas as vendors take them for constrained sampling: a strict form of a JSON Schema where it has one, and grammar
 * tools. Shared by the adapters.
 */

import { ProviderError } from "./errors.ts";
import { plainObjectRoot } from "./root-schema.ts";
import { cleanJson } from "./text.ts";
import type { JsonSchema, Tool } from "./types.ts";

/** Whose rules a strict schema follows: Anthropic's refuse limits and formats that OpenAI's take or that can be left out. */
export type StrictDialect = "openai" | "anthropic";

/** A schema in its strict form, or why it has none. */
export type StrictConversion = { schema: JsonSchema } | { reason: string };

/** A tool's parameters as they go out. */
export interface ToolParameters {
  schema: JsonSchema;
  strict: boolean;
}

/** What a grammar tool's one argument must match. */
export interface ToolGrammar {
  syntax: "lark" | "regex";
  definition: string;
  /** The property that the model's text becomes. */
  property: string;
}

class NotStrict extends Error {}

const refusedKeywords = [
  "$ref",
  "$defs",
  "definitions",
  "allOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "propertyNames",
  "dependencies",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
  "additionalItems",
  "contains",
];
/** What says nothing about a value's shape and what hosts answer 400 to. */
const annotationKeywords = [
  "$schema",
  "$id",
  "$comment",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
];
/** Limits that OpenAI's strict mode does not know; the arguments are validated here anyway. */
const limitsLeftOut = ["minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties"];
const limitsThatAnthropicRefuses = [
  ...limitsLeftOut,
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "maxItems",
];
const openaiFormats = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];
const formats: Record<StrictDialect, string[]> = {
  openai: openaiFormats,
  anthropic: [...openaiFormats, "uri"],
};

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A tool's schema for a vendor, strict if the tool asks for it and the vendor can.
 * @throws ProviderError when the tool requires strict arguments and cannot have them
 */
export function toolParameters(
  tool: Tool,
  vendor: { supportsStrict: boolean; dialect: StrictDialect },
): ToolParameters {
  const plain = { schema: objectSchema(tool.parameters), strict: false };
  const wanted = tool.constrainedSampling || undefined;
  if (wanted?.type !== "json_schema") return plain;
  const converted: StrictConversion = vendor.supportsStrict
    ? strictSchema(tool.parameters, vendor.dialect)
    : { reason: "this model does not take strict tools" };
  if ("schema" in converted) return { schema: converted.schema, strict: true };
  if (wanted.strict === "prefer") return plain;
  throw new ProviderError(
    `The tool ${tool.name} requires strict arguments, which cannot be had: ${converted.reason}.`,
    { errorClass: "invalid-request" },
  );
}

/** A schema that every host accepts as parameters: clean text, and a plain object even where the tool takes nothing. */
function objectSchema(parameters: JsonSchema | undefined): JsonSchema {
  const { type } = parameters ?? {};
  const schema = cleanJson(parameters ?? {});
  const isObject =
    type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
  return isObject ? plainObjectRoot(schema) : schema;
}

/** The strict form of a schema: objects closed, every property required, optional ones nullable. The input is not changed. */
export function strictSchema(parameters: JsonSchema, dialect: StrictDialect): StrictConversion {
  try {
    const root = objectSchema(parameters);
    if (root.type !== "object") throw new NotStrict("its parameters are not an object");
    return { schema: strictNode(root, "parameters", dialect) };
  } catch (error) {
    if (error instanceof NotStrict) return { reason: error.message };
    throw error;
  }
}

function strictNode(node: unknown, path: string, dialect: StrictDialect): JsonSchema {
  if (!isSchema(node)) throw new NotStrict(`${path} is not a schema object`);
  const refused = refusedKeywords.find((keyword) => node[keyword] !== undefined);
  if (refused) throw new NotStrict(`${path} uses ${refused}`);
  const result: JsonSchema = { ...node };
  for (const keyword of annotationKeywords) delete result[keyword];
  strictLimits(result, path, dialect);
  if (Array.isArray(node.anyOf)) return strictUnion(result, node.anyOf, path, dialect);
  const type = node.type ?? typeOfConstants(node);
  if (type === undefined) throw new NotStrict(`${path} has no type`);
  result.type = type;
  const types = Array.isArray(type) ? type : [type];
  const containers = types.filter((name) => name === "object" || name === "array");
  if (containers.length > 0 && types.length > 1) {
    throw new NotStrict(`${path} is a union of ${containers[0]}s`);
  }
  if (type === "object") return strictObject(result, path, dialect);
  if (type === "array") {
    if (!isSchema(node.items)) throw new NotStrict(`${path} does not say what its items are`);
    result.items = strictNode(node.items, `${path}.items`, dialect);
  }
  return result;
}

function strictUnion(
  result: JsonSchema,
  variants: unknown[],
  path: string,
  dialect: StrictDialect,
): JsonSchema {
  const converted = variants.map((variant, index) =>
    strictNode(variant, `${path}.anyOf[${index}]`, dialect),
  );
  const others = converted.filter((variant) => variant.type !== "null");
  const container = others.find((variant) => variant.type === "object" || variant.type === "array");
  if (container && others.length > 1) {
    throw new NotStrict(`${path} is a union of ${container.type}s`);
  }
  result.anyOf = converted;
  return result;
}

function strictObject(result: JsonSchema, path: string, dialect: StrictDialect): JsonSchema {
  if (result.additionalProperties !== undefined && result.additionalProperties !== false) {
    throw new NotStrict(`${path} allows additional properties`);
  }
  const properties = isSchema(result.properties) ? result.properties : {};
  const required = new Set(Array.isArray(result.required) ? result.required : []);
  for (const name of required) {
    if (!Object.hasOwn(properties, String(name))) {
      throw new NotStrict(`${path} requires ${name} without saying what it is`);
    }
  }
  result.properties = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const strict = strictNode(property, `${path}.${name}`, dialect);
      return [name, required.has(name) ? strict : nullable(strict)];
    }),
  );
  result.required = Object.keys(properties);
  result.additionalProperties = false;
  return result;
}

function strictLimits(result: JsonSchema, path: string, dialect: StrictDialect): void {
  if (dialect === "anthropic") {
    const limit = limitsThatAnthropicRefuses.find((keyword) => result[keyword] !== undefined);
    if (limit) throw new NotStrict(`${path} uses ${limit}`);
    if (typeof result.minItems === "number" && result.minItems > 1) {
      throw new NotStrict(`${path} uses minItems above 1`);
    }
  } else {
    for (const keyword of limitsLeftOut) delete result[keyword];
  }
  if (result.format === undefined || formats[dialect].includes(String(result.format))) return;
  if (dialect === "anthropic") throw new NotStrict(`${path} uses the format ${result.format}`);
  delete result.format;
}

function typeOfConstants(node: JsonSchema): string | string[] | undefined {
  const values = Array.isArray(node.enum) ? node.enum : "const" in node ? [node.const] : [];
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  if (types.length === 0 || types.includes("object")) return undefined;
  return types.length === 1 ? types[0] : types;
}

function nullable(schema: JsonSchema): JsonSchema {
  if (allowsNull(schema)) return schema;
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  if (schema.type === "object" || schema.type === "array") {
    return { anyOf: [schema, { type: "null" }] };
  }
  const { const: constant, ...rest } = schema;
  const result: JsonSchema = { ...rest, type: [schema.type, "null"].flat() };
  if (constant !== undefined) result.enum = [constant, null];
  else if (Array.isArray(schema.enum)) result.enum = [...schema.enum, null];
  return result;
}

function allowsNull(schema: unknown): boolean {
  if (!isSchema(schema)) return true;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some(allowsNull);
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  if ("const" in schema) return schema.const === null;
  if (schema.type === undefined) return true;
  return Array.isArray(schema.type) ? schema.type.includes("null") : schema.type === "null";
}

/**
 * Arguments without the nulls that only the strict form of their schema allows: there null says that an optional property was
 * left out.
 * @param parameters the tool's own schema
 */
export function dropAddedNulls(
  args: Record<string, unknown>,
  parameters: JsonSchema,
): Record<string, unknown> {
  return withoutAddedNulls(args, parameters) as Record<string, unknown>;
}

function withoutAddedNulls(value: unknown, schema: unknown): unknown {
  if (!isSchema(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutAddedNulls(item, schema.items));
  if (!isSchema(value)) return value;
  const variant = Array.isArray(schema.anyOf)
    ? schema.anyOf.find((candidate) => isSchema(candidate) && isSchema(candidate.properties))
    : schema;
  if (!isSchema(variant) || !isSchema(variant.properties)) return value;
  const { properties } = variant;
  const required = Array.isArray(variant.required) ? variant.required : [];
  const optional = (name: string): boolean =>
    Object.hasOwn(properties, name) && !required.includes(name) && !allowsNull(properties[name]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => inner !== null || !optional(name))
      .map(([name, inner]) => [
        name,
        Object.hasOwn(properties, name) ? withoutAddedNulls(inner, properties[name]) : inner,
      ]),
  );
}

/** The grammar that a tool asks for, if it has one required string and nothing else to take it; otherwise undefined. */
export function toolGrammar(tool: Tool): ToolGrammar | undefined {
  const wanted = tool.constrainedSampling || undefined;
  if (wanted?.type !== "grammar") return undefined;
  const properties = isSchema(tool.parameters.properties) ? tool.parameters.properties : {};
  const [property, ...others] = Object.keys(properties);
  const schema = property === undefined ? undefined : properties[property];
  const required = Array.isArray(tool.parameters.required) ? tool.parameters.required : [];
  if (property === undefined || others.length > 0 || !required.includes(property)) return undefined;
  if (!isSchema(schema) || schema.type !== "string") return undefined;
  const { openai_lark: lark, openai_regex: regex } = wanted.variants;
  if (lark) return { syntax: "lark", definition: lark, property };
  if (regex) return { syntax: "regex", definition: regex, property };
  return undefined;
}
