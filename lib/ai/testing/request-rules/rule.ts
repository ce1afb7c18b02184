import type { Model } from "../../types.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";

/** One published rule: yields a sentence for every place of a request body that breaks it. */
export type Rule = (body: Loose, model: Model) => Iterable<string>;

/** What is wrong with a request body, by the vendor's published rules: "rule: where and what". Empty: nothing. */
export type RequestChecker = (body: unknown, model: Model) => string[];

export function checkerOf(rules: Record<string, Rule>): RequestChecker {
  return (body, model) => {
    if (!isRecord(body)) return ["body: not a JSON object"];
    return Object.entries(rules).flatMap(([name, rule]) =>
      [...rule(body, model)].map((violation) => `${name}: ${violation}`),
    );
  };
}

/** Only the records of a list; nothing for what is no list. */
export function records(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function isBlank(value: unknown): boolean {
  return typeof value !== "string" || value.trim() === "";
}

/** Absent or null, which the vendors read alike. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

export function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

/** The values that stand in a list more than once. */
export function repeated<T>(values: T[]): T[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

/** Whether text is a JSON object, as the arguments of a call must be. */
export function isJsonObject(value: unknown): boolean {
  try {
    return typeof value === "string" && isRecord(JSON.parse(value));
  } catch {
    return false;
  }
}

/** Whether a model, by name, is served by its maker and not by a host that speaks the maker's protocol. */
export function isServedBy(model: Model, providers: string[]): boolean {
  return providers.includes(model.provider);
}

/**
 * Every string and key of a body is well-formed UTF-16. JSON text is UTF-8 (RFC 8259, section 8.1), which cannot hold a lone
 * surrogate; all four vendors answer one with 400.
 */
export const wellFormedText: Rule = (body) => loneSurrogates(body, "body");

function* loneSurrogates(value: unknown, path: string): Generator<string> {
  if (typeof value === "string") {
    if (!value.isWellFormed()) yield `a lone surrogate at ${path}`;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* loneSurrogates(item, `${path}[${index}]`);
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      if (!key.isWellFormed()) yield `a lone surrogate in a key at ${path}`;
      yield* loneSurrogates(item, `${path}.${key}`);
    }
  }
}
