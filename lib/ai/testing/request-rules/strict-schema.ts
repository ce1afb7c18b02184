import { isRecord } from "../../vendor-json.ts";
import { schemasIn } from "./schemas.ts";

/**
 * What keeps a schema from being held to strictly (platform.openai.com/docs/guides/structured-outputs): every object says
 * that it takes no other properties, and requires each one that it names.
 */
export function* strictSchemaFaults(root: unknown): Generator<string> {
  for (const [schema, path] of schemasIn(root)) {
    if (typeof schema === "boolean" || !isRecord(schema.properties)) continue;
    if (schema.additionalProperties !== false) yield `${path} leaves additionalProperties open`;
    const required = Array.isArray(schema.required) ? schema.required : [];
    for (const name of Object.keys(schema.properties)) {
      if (!required.includes(name)) yield `${path} does not require ${name}`;
    }
  }
}

/** "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level." */
export function hasPlainRoot(schema: unknown): boolean {
  return (
    isRecord(schema) &&
    schema.type === "object" &&
    !["oneOf", "anyOf", "allOf", "enum", "not"].some((keyword) => keyword in schema)
  );
}
