import type { ImageContent } from "../../types.ts";
import { type Loose, listOf, textOf } from "./loose.ts";

const dataUrl = /^data:([\w.+-]+\/[\w.+-]+);base64,(.+)$/s;

/** The images that a server-side item made: generated ones, and what a code interpreter drew. */
export function imagesFrom(item: Loose): ImageContent[] {
  if (item.type === "image_generation_call") {
    const result = textOf(item.result);
    if (!result || /^https?:/i.test(result)) return [];
    return [
      fromDataUrl(result) ?? { type: "image", data: result, mimeType: mimeType(item, result) },
    ];
  }
  return listOf(item.outputs).flatMap((output) => {
    const image = output.type === "image" ? fromDataUrl(textOf(output.url) ?? "") : undefined;
    return image ? [image] : [];
  });
}

function fromDataUrl(text: string): ImageContent | undefined {
  const match = dataUrl.exec(text);
  return match
    ? { type: "image", mimeType: match[1] as string, data: match[2] as string }
    : undefined;
}

function mimeType(item: Loose, data: string): string {
  const format = textOf(item.output_format);
  if (format) return `image/${format === "jpg" ? "jpeg" : format}`;
  if (data.startsWith("/9j/")) return "image/jpeg";
  if (data.startsWith("UklGR")) return "image/webp";
  return "image/png";
}
