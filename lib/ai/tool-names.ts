import { shortHash } from "./text.ts";

const maxLength = 64;
const plainName = /^[A-Za-z0-9_-]{1,64}$/;
const letterFirst = /^[A-Za-z_]/;

/** Our tool names and the names that a vendor is told, one to one (P-408). */
export interface ToolNames {
  toVendor(name: string): string;
  fromVendor(name: string): string;
}

/**
 * Maps every name to letters, digits, `_` and `-`, 64 at most; a name that is fine already keeps it, and two names never
 * share one.
 * @param names every name that the request will mention: tools and the calls of the transcript
 * @param rules `letterFirst`: the vendor wants a letter or an underscore in front (Google)
 */
export function createToolNames(
  names: Iterable<string>,
  rules: { letterFirst?: boolean } = {},
): ToolNames {
  const isPlain = (name: string): boolean =>
    plainName.test(name) && (!rules.letterFirst || letterFirst.test(name));
  const free = (name: string, taken: Map<string, string>): string =>
    freeName(name, rules.letterFirst && !letterFirst.test(name) ? "_" : "", taken);
  const toVendor = new Map<string, string>();
  const fromVendor = new Map<string, string>();
  const claim = (name: string, vendorName: string): void => {
    toVendor.set(name, vendorName);
    fromVendor.set(vendorName, name);
  };
  const all = [...new Set(names)];
  for (const name of all) if (isPlain(name)) claim(name, name);
  for (const name of all) if (!toVendor.has(name)) claim(name, free(name, fromVendor));
  return {
    toVendor: (name) => toVendor.get(name) ?? free(name, new Map()),
    fromVendor: (name) => fromVendor.get(name) ?? name,
  };
}

function freeName(name: string, prefix: string, taken: Map<string, string>): string {
  const cleaned = prefix + (name.replace(/[^A-Za-z0-9_-]/g, "_") || "tool");
  if (cleaned.length <= maxLength && !taken.has(cleaned)) return cleaned;
  const suffix = `_${shortHash(name)}`;
  return cleaned.slice(0, maxLength - suffix.length) + suffix;
}
