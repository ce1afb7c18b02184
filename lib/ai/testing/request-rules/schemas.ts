import { isRecord, type Loose } from "../../vendor-json.ts";

/** Every schema in a schema, itself first, with where it stands. */
export function* schemasIn(schema: unknown, path = "schema"): Generator<[Loose | boolean, string]> {
  if (typeof schema === "boolean") yield [schema, path];
  if (!isRecord(schema)) return;
  yield [schema, path];
  for (const keyword of ["properties", "$defs", "definitions"]) {
    if (!isRecord(schema[keyword])) continue;
    for (const [name, inner] of Object.entries(schema[keyword])) {
      yield* schemasIn(inner, `${path}.${keyword}.${name}`);
    }
  }
  for (const keyword of ["anyOf", "oneOf", "allOf", "prefixItems"]) {
    if (!Array.isArray(schema[keyword])) continue;
    for (const [index, inner] of schema[keyword].entries()) {
      yield* schemasIn(inner, `${path}.${keyword}[${index}]`);
    }
  }
  if (isRecord(schema.items)) yield* schemasIn(schema.items, `${path}.items`);
}

/** The definitions of a schema that refer to themselves, directly or over others. */
export function circularDefinitions(schema: Loose): string[] {
  const definitions = { ...asRecord(schema.definitions), ...asRecord(schema.$defs) };
  const uses = new Map(
    Object.entries(definitions).map(([name, inner]) => [name, referencesIn(inner)]),
  );
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(uses.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...uses.keys()].filter((name) => reaches(name, name));
}

function referencesIn(schema: unknown): Set<string> {
  const names = new Set<string>();
  for (const [inner] of schemasIn(schema)) {
    const reference = typeof inner === "boolean" ? undefined : inner.$ref;
    if (typeof reference === "string")
      names.add(reference.replace(/^#\/(\$defs|definitions)\//, ""));
  }
  return names;
}

function asRecord(value: unknown): Loose {
  return isRecord(value) ? value : {};
}
