import type { Model } from "../../types.ts";
import type { Loose } from "../../vendor-json.ts";
import type { RequestChecker } from "./rule.ts";

/** What a broken request is told, how it is broken, and the model where that matters. */
export type Planted = [violation: string, edit: (body: Loose) => void, model?: Partial<Model>];

/** What the checker says of a good body with one thing broken. */
export function violationsOf(
  check: RequestChecker,
  good: Loose,
  model: Model,
  [, edit, fields]: Planted,
): string[] {
  const body = structuredClone(good);
  edit(body);
  return check(body, { ...model, ...fields });
}

/** The rules that no planted violation proves. */
export function unproven(rules: object, planted: Planted[]): string[] {
  const proven = new Set(planted.map(([violation]) => violation.split(":")[0]));
  return Object.keys(rules).filter((name) => !proven.has(name));
}

/** A value inside a body by its path, to be changed there. */
export function at(body: Loose, ...path: (string | number)[]): Loose {
  let value: unknown = body;
  for (const step of path) value = (value as Record<string | number, unknown>)[step];
  return value as Loose;
}

/** The list inside a body by its path. */
export function listAt(body: Loose, ...path: (string | number)[]): unknown[] {
  return at(body, ...path) as unknown as unknown[];
}
