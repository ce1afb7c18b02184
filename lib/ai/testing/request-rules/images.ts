const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Base64 as RFC 4648, section 4, has it: in groups of four characters. */
export function isBase64(value: unknown): boolean {
  return typeof value === "string" && value.length % 4 === 0 && base64.test(value);
}

/** JPEG, PNG, GIF and WebP: what OpenAI (guide "Images and vision") and Anthropic (guide "Vision") take. */
export const commonImageTypes = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** An image's address: a web address, or a data URL of a kind that OpenAI takes. */
export function isImageUrl(value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (/^https?:\/\//.test(value)) return true;
  const match = /^data:([^;,]+);base64,(.*)$/s.exec(value);
  return match !== null && commonImageTypes.has(match[1] as string) && isBase64(match[2]);
}
