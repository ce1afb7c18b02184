import type { ImageContent } from "./types.ts";

/** What OpenAI, Anthropic and most hosts take. */
export const commonImageTypes: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
]);

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * An image as a vendor takes it: of a type that it knows, its data plain base64. Tools and imports write them otherwise too:
 * as a data URL, for the web's alphabet, in lines, without padding. undefined: it cannot be sent.
 */
export function sendableImage(
  image: ImageContent,
  types: ReadonlySet<string>,
): ImageContent | undefined {
  const url = /^data:([^;,]*)[^,]*,/.exec(image.data?.slice(0, 200) ?? "");
  const mimeType = plainType(image.mimeType || url?.[1]);
  if (!types.has(mimeType)) return undefined;
  const data = plainBase64(url ? image.data.slice(url[0].length) : (image.data ?? ""));
  if (data === undefined) return undefined;
  return data === image.data && mimeType === image.mimeType
    ? image
    : { type: "image", mimeType, data };
}

function plainType(type: string | undefined): string {
  const plain = (type ?? "").toLowerCase().replace(/;.*$/s, "").trim();
  return plain === "image/jpg" ? "image/jpeg" : plain;
}

function plainBase64(data: string): string | undefined {
  if (data.length % 4 === 0 && base64.test(data)) return data;
  const plain = data
    .replace(/\s|=+\s*$/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  if (plain.length % 4 === 1 || !base64.test(plain)) return undefined;
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, "=");
}
