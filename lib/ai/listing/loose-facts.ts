import { cleanText } from "../text.ts";
import { isRecord, type Loose } from "../vendor-json.ts";

const maxIdChars = 300;
const maxNameChars = 200;
const maxTokens = 1_000_000_000;

// Control characters, and those that turn the direction of the text around them.
const unprintable = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;

/** A model's id as it goes into requests: never mended, since a mended one would name another model. */
export function idOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length === 0 || value.length > maxIdChars)
    return undefined;
  return unprintable.test(value) || cleanText(value) !== value ? undefined : value;
}

/** A name for people, on one line. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const plain = cleanText(value.slice(0, 4 * maxNameChars))
    .replace(new RegExp(unprintable, "gu"), " ")
    .replace(/\s+/g, " ")
    .trim();
  return cleanText(plain.slice(0, maxNameChars)) || undefined;
}

/** The first of the values that is a size in tokens. */
export function firstSize(...values: unknown[]): number | undefined {
  return values.find(
    (value): value is number =>
      typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= maxTokens,
  );
}

/** Lower-case words of an array of strings; undefined where there is no array. */
export function wordsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, 200)
    .filter((word): word is string => typeof word === "string")
    .map((word) => word.toLowerCase());
}

/** A yes or no, said plainly or as `{supported}`. */
export function flagOf(value: unknown): boolean | undefined {
  const plain = isRecord(value) ? value.supported : value;
  return typeof plain === "boolean" ? plain : undefined;
}

export function recordOf(value: unknown): Loose {
  return isRecord(value) ? value : {};
}
