import type { ErrorObject } from "ajv";

/**
 * Mends values of a wrong type where only one reading is possible, in place: "5" for a number, 5 for a string, "true"
 * for a boolean, a list or an object written as JSON text, one value for a list of such, null for what may be absent.
 * Returns whether anything was changed; the caller validates again.
 */
export function mendArguments(args: Record<string, unknown>, errors: ErrorObject[]): boolean {
  const seen = new Set<string>();
  let changed = false;
  for (const error of errors) {
    if (error.keyword !== "type" || seen.has(error.instancePath)) continue;
    const place = locate(args, error.instancePath);
    if (!place) continue;
    const { parent, key } = place;
    if (parent[key] === null && !Array.isArray(parent)) {
      delete parent[key];
    } else {
      const mended = mendValue(parent[key], [error.params.type].flat() as string[]);
      if (mended === undefined) continue;
      parent[key] = mended;
    }
    seen.add(error.instancePath);
    changed = true;
  }
  return changed;
}

type Container = Record<string, unknown>;

function locate(root: Container, pointer: string): { parent: Container; key: string } | undefined {
  const keys = pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = keys.pop();
  if (key === undefined) return undefined;
  let parent: unknown = root;
  for (const step of keys) parent = own(parent, step);
  // An assignment to __proto__ would change the object's prototype instead of a value.
  if (key === "__proto__" || own(parent, key) === undefined) return undefined;
  return { parent: parent as Container, key };
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Container)[key]
    : undefined;
}

function mendValue(value: unknown, types: string[]): unknown {
  for (const type of types) {
    const mended = mendTo(type, value);
    if (mended !== undefined) return mended;
  }
  return undefined;
}

const NUMBER_TEXT = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

function mendTo(type: string, value: unknown): unknown {
  switch (type) {
    case "number":
      return numberOf(value);
    case "integer": {
      const number = numberOf(value);
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
    case "boolean":
      if (value === "true") return true;
      return value === "false" ? false : undefined;
    case "object": {
      const parsed = parsedJson(value);
      return parsed && !Array.isArray(parsed) ? parsed : undefined;
    }
    case "array": {
      const parsed = parsedJson(value);
      if (Array.isArray(parsed)) return parsed;
      return value === null ? undefined : [value];
    }
    default:
      return undefined;
  }
}

function numberOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !NUMBER_TEXT.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function parsedJson(value: unknown): object | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value) as object;
  } catch {
    return undefined;
  }
}
