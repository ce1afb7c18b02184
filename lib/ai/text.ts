const loneSurrogates = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Text without lone surrogates, which no vendor accepts; pairs stay. */
export function cleanText(text: string): string {
  return text.isWellFormed?.() ? text : text.replace(loneSurrogates, "");
}

/** The same for every string and key in a JSON value; an untouched value keeps its identity. */
export function cleanJson<T>(value: T): T {
  if (typeof value === "string") return cleanText(value) as T;
  if (Array.isArray(value)) {
    const cleaned = value.map(cleanJson);
    return cleaned.some((item, index) => item !== value[index]) ? (cleaned as T) : value;
  }
  if (value && typeof value === "object") {
    let changed = false;
    const entries = Object.entries(value).map(([key, inner]) => {
      const cleanKey = cleanText(key);
      const cleaned = cleanJson(inner);
      if (cleanKey !== key || cleaned !== inner) changed = true;
      return [cleanKey, cleaned] as const;
    });
    return changed ? (Object.fromEntries(entries) as T) : value;
  }
  return value;
}

/** A short hash for ids: eight characters a-z0-9, the same for the same text (FNV-1a, two lanes). Not for security. */
export function shortHash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ (code + index), 0x85ebca6b);
  }
  const digits = (value: number): string => (value >>> 0).toString(36).padStart(7, "0").slice(-4);
  return digits(a) + digits(b ^ (b >>> 13));
}
