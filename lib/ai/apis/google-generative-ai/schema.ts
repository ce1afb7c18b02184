import type { JsonSchema } from "../../types.ts";
import { isRecord } from "../../vendor-json.ts";

/** Keywords that this vendor reads as they are. */
const kept = [
  "title",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "propertyOrdering",
  "nullable",
] as const;
/** Keywords that it refuses or does not read; the model is told of them in words. */
const told = [
  "pattern",
  "minLength",
  "maxLength",
  "uniqueItems",
  "multipleOf",
  "minProperties",
  "maxProperties",
  "default",
] as const;
const formats = new Set(["date-time", "date", "time", "int32", "int64", "float", "double"]);
/** References can make a small schema huge; what lies beyond is left open. */
const mostNodes = 2000;

/**
 * A tool's JSON Schema in the part of the language that Gemini takes, at every depth: references are put in place, `const`
 * becomes `enum`, an exclusive limit an inclusive one, `oneOf` and `allOf` become `anyOf` and one schema. What cannot be said
 * is left out; a limit that is lost so is told in the description.
 */
export function geminiSchema(parameters: JsonSchema | undefined): JsonSchema {
  const root = parameters ?? {};
  const schema = new Rewriter(root).rewrite(root, []);
  return objectRoot(schema);
}

/** The root must be an object; a union there is told as all its variants' properties, of which few are required. */
function objectRoot(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const result: JsonSchema = { ...rest, type: "object" };
  delete result.enum;
  const variants = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [];
  result.properties = Object.fromEntries(
    [...variants.toReversed(), result].flatMap(({ properties }) =>
      Object.entries(properties ?? {}),
    ),
  );
  const lists = variants.map((variant) =>
    Array.isArray(variant.required) ? variant.required : [],
  );
  const shared = lists[0]?.filter((name) => lists.every((list) => list.includes(name))) ?? [];
  const required = [
    ...new Set([...(Array.isArray(result.required) ? result.required : []), ...shared]),
  ];
  if (required.length > 0) result.required = required;
  else delete result.required;
  return result;
}

class Rewriter {
  private nodes = 0;

  constructor(private readonly root: JsonSchema) {}

  /** @param trail the references that led here, so that a circle is noticed */
  rewrite(node: unknown, trail: readonly string[]): JsonSchema {
    if (!isRecord(node) || ++this.nodes > mostNodes) return {};
    if (typeof node.$ref === "string") return this.follow(node, node.$ref, trail);
    if (Array.isArray(node.allOf)) return this.rewrite(mergeAll(node, this.root), trail);
    const result: JsonSchema = {};
    const notes: string[] = [];
    if (typeof node.type === "string" || Array.isArray(node.type)) result.type = node.type;
    for (const keyword of kept) if (node[keyword] !== undefined) result[keyword] = node[keyword];
    for (const keyword of told) {
      if (node[keyword] !== undefined && node[keyword] !== false) {
        notes.push(`${keyword}: ${plain(node[keyword])}`);
      }
    }
    if (typeof node.format === "string") {
      if (formats.has(node.format)) result.format = node.format;
      else notes.push(`format: ${node.format}`);
    }
    this.values(node, result, notes);
    limits(node, result, notes);
    this.objects(node, result, trail, notes);
    this.lists(node, result, trail);
    const variants = [node.anyOf, node.oneOf].find(Array.isArray);
    if (variants) result.anyOf = variants.map((variant: unknown) => this.rewrite(variant, trail));
    const description = [
      typeof node.description === "string" ? node.description : "",
      noteText(notes),
    ]
      .filter(Boolean)
      .join(" ");
    if (description) result.description = description;
    return result;
  }

  private follow(node: JsonSchema, reference: string, trail: readonly string[]): JsonSchema {
    const { $ref: _ref, ...beside } = node;
    const target = resolvePointer(this.root, reference);
    if (target === undefined || trail.includes(reference)) {
      const what = trail.includes(reference) ? "the same shape again" : `see ${reference}`;
      return this.rewrite({ type: "object", ...beside, description: joined(beside, `(${what})`) }, [
        ...trail,
        reference,
      ]);
    }
    const whole = isRecord(target) ? { ...target, ...beside } : beside;
    return this.rewrite(whole, [...trail, reference]);
  }

  private values(node: JsonSchema, result: JsonSchema, notes: string[]): void {
    const values =
      "const" in node ? [node.const] : Array.isArray(node.enum) ? node.enum : undefined;
    if (!values) return;
    const usable = values.filter((value) => typeof value === "string" || typeof value === "number");
    if (usable.length < values.length) {
      // Only texts and numbers can be listed.
      const others = values.filter((value) => value !== null && !usable.includes(value));
      if (others.length > 0) {
        notes.push(`one of: ${values.map(plain).join(", ")}`);
        result.type ??= typeOf(others[0]);
        return;
      }
    }
    if (usable.length === 0) return;
    result.enum = usable;
    const type = typeof usable[0] === "string" ? "string" : "number";
    result.type ??= values.includes(null) ? [type, "null"] : type;
  }

  private objects(
    node: JsonSchema,
    result: JsonSchema,
    trail: readonly string[],
    notes: string[],
  ): void {
    if (isRecord(node.properties)) {
      result.type ??= "object";
      result.properties = Object.fromEntries(
        Object.entries(node.properties)
          .filter(([, property]) => property !== false)
          .map(([name, property]) => [name, this.rewrite(property, trail)]),
      );
      const required = (Array.isArray(node.required) ? node.required : []).filter(
        (name) => typeof name === "string" && Object.hasOwn(result.properties as object, name),
      );
      if (required.length > 0) result.required = required;
    }
    const others = node.additionalProperties ?? Object.values(node.patternProperties ?? {})[0];
    if (isRecord(others) && Object.keys(others).length > 0) {
      notes.push(`any other property: ${plain(this.rewrite(others, trail))}`);
    }
  }

  private lists(node: JsonSchema, result: JsonSchema, trail: readonly string[]): void {
    const tuple = [node.prefixItems, node.items].find(Array.isArray) as unknown[] | undefined;
    if (tuple) {
      result.type ??= "array";
      result.items = oneOf(tuple.map((item) => this.rewrite(item, trail)));
    } else if (isRecord(node.items)) {
      result.type ??= "array";
      result.items = this.rewrite(node.items, trail);
    } else if (node.type === "array") {
      result.items = {};
    }
  }
}

function oneOf(schemas: JsonSchema[]): JsonSchema {
  const different = [
    ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
  ];
  return different.length === 1 ? (different[0] as JsonSchema) : { anyOf: different };
}

function limits(node: JsonSchema, result: JsonSchema, notes: string[]): void {
  for (const [keyword, inclusive, step, words] of [
    ["exclusiveMinimum", "minimum", 1, "greater than"],
    ["exclusiveMaximum", "maximum", -1, "less than"],
  ] as const) {
    // In older drafts the keyword is a flag beside the limit.
    const limit = node[keyword] === true ? node[inclusive] : node[keyword];
    if (typeof limit !== "number") continue;
    const whole = [node.type].flat().includes("integer") && Number.isInteger(limit);
    result[inclusive] = whole ? limit + step : limit;
    if (!whole) notes.push(`${words} ${limit}`);
  }
}

/** All parts of an `allOf` as one schema: properties and requirements add up, other keywords of later parts win. */
function mergeAll(node: JsonSchema, root: JsonSchema): JsonSchema {
  const { allOf, ...own } = node;
  const merged: JsonSchema = {};
  const properties: Record<string, unknown> = {};
  const required = new Set<unknown>();
  const seen = new Set<unknown>();
  const add = (part: unknown): void => {
    if (!isRecord(part) || seen.has(part)) return;
    seen.add(part);
    if (typeof part.$ref === "string") add(resolvePointer(root, part.$ref));
    if (Array.isArray(part.allOf)) part.allOf.forEach(add);
    const { $ref: _ref, allOf: _all, properties: inner, required: names, ...rest } = part;
    Object.assign(merged, rest);
    if (isRecord(inner)) Object.assign(properties, inner);
    if (Array.isArray(names)) for (const name of names) required.add(name);
  };
  (allOf as unknown[]).forEach(add);
  add(own);
  if (Object.keys(properties).length > 0) merged.properties = properties;
  if (required.size > 0) merged.required = [...required];
  return merged;
}

/** What a JSON pointer of this document leads to. */
function resolvePointer(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let target: unknown = root;
  for (const segment of reference.slice(1).split("/").slice(1)) {
    const key = decoded(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(target)) target = target[Number(key)];
    else if (isRecord(target) && Object.hasOwn(target, key)) target = target[key];
    else return undefined;
  }
  return target;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function joined(node: JsonSchema, note: string): string {
  return [typeof node.description === "string" ? node.description : "", note]
    .filter(Boolean)
    .join(" ");
}

function noteText(notes: string[]): string {
  return notes.length > 0 ? `(${notes.join("; ")})` : "";
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}
