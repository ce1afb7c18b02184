import type { JsonSchema } from "./types.ts";
import { isRecord } from "./vendor-json.ts";

/** What vendors refuse at the root of a tool's schema, where they want a plain object. */
const refusedAtRoot = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"];

/**
 * A tool's schema as an object without alternatives at its root: the properties of all variants together, of which those are
 * required that every variant requires. What is lost is checked when the call is validated here.
 */
export function plainObjectRoot(root: JsonSchema): JsonSchema {
  const alternatives = [...variantsOf(root, "anyOf"), ...variantsOf(root, "oneOf")];
  const parts = variantsOf(root, "allOf");
  const found = new Map<string, unknown>();
  for (const schema of [root, ...alternatives, ...parts]) {
    const properties = isRecord(schema.properties) ? schema.properties : {};
    for (const [name, property] of Object.entries(properties)) {
      if (!found.has(name)) found.set(name, property);
    }
  }
  const shared = requiredIn(alternatives[0]).filter((name) =>
    alternatives.every((schema) => requiredIn(schema).includes(name)),
  );
  const required = [...requiredIn(root), ...parts.flatMap(requiredIn), ...shared];
  const result: JsonSchema = { ...root, type: "object", properties: Object.fromEntries(found) };
  for (const keyword of refusedAtRoot) delete result[keyword];
  const known = [...new Set(required)].filter((name) => found.has(name));
  if (alternatives.length + parts.length > 0) {
    if (known.length > 0) result.required = known;
    else delete result.required;
  }
  return result;
}

/** The schemas of a root union; one by reference is looked up. */
function variantsOf(root: JsonSchema, keyword: string): JsonSchema[] {
  const variants = root[keyword];
  if (!Array.isArray(variants)) return [];
  return variants.filter(isRecord).map((variant) => {
    const [, place, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(variant.$ref)) ?? [];
    const definitions = place && root[place];
    const found = isRecord(definitions) && name ? definitions[name] : undefined;
    return isRecord(found) ? found : variant;
  });
}

function requiredIn(schema: JsonSchema | undefined): string[] {
  return Array.isArray(schema?.required) ? schema.required.map(String) : [];
}
