import type { ImageContent } from "@/lib/ai/types";

export interface AttachedImage extends ImageContent {
  id: string;
  name: string;
}

/** The kinds that every vendor with image input takes. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MAX_BYTES = 8_000_000;
const MAX_IMAGES = 10;

/** Reads picked, pasted or dropped files. What cannot be attached is said in a sentence, the rest is. */
export async function readImages(
  files: File[],
  already: number,
): Promise<{ images: AttachedImage[]; problem?: string }> {
  const problems: string[] = [];
  const images: AttachedImage[] = [];
  for (const file of files) {
    if (!IMAGE_TYPES.includes(file.type)) {
      problems.push(`${file.name} is not a PNG, JPEG, WebP or GIF image.`);
    } else if (file.size > MAX_BYTES) {
      problems.push(`${file.name} is larger than 8 MB.`);
    } else if (already + images.length >= MAX_IMAGES) {
      problems.push(`A message holds ${MAX_IMAGES} images at most.`);
      break;
    } else {
      const data = toBase64(new Uint8Array(await file.arrayBuffer()));
      images.push({
        type: "image",
        id: crypto.randomUUID(),
        name: file.name,
        data,
        mimeType: file.type,
      });
    }
  }
  return { images, ...(problems.length > 0 && { problem: problems.join(" ") }) };
}

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  }
  return btoa(parts.join(""));
}
