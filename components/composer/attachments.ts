import type { ImageContent } from "@/lib/ai/types";

export const MOST_ATTACHMENTS = 10;
/** Vendors take what is larger and shrink it themselves, after it was uploaded. */
export const LONGEST_EDGE = 2048;
const LARGEST_FILE = 20_000_000;
const SENT_AS_IS = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const AS_IS_BYTES = 3_500_000;

export interface Attachment {
  id: string;
  name: string;
  image: ImageContent;
}

/**
 * Reads a picture for a message: base64, shrunk when it is larger than models look at.
 *
 * @throws Error with a sentence for people when the file is no picture or cannot be read
 */
export async function readAttachment(file: File, id: string): Promise<Attachment> {
  if (!file.type.startsWith("image/") || file.type === "image/svg+xml") {
    throw new Error(`Only pictures can be attached: “${file.name}” is none.`);
  }
  if (file.size > LARGEST_FILE) throw new Error(`“${file.name}” is larger than 20 MB.`);
  return { id, name: file.name || "Picture", image: await toImage(file) };
}

async function toImage(file: File): Promise<ImageContent> {
  const keep = SENT_AS_IS.has(file.type) && file.size <= AS_IS_BYTES;
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    throw new Error(`“${file.name}” cannot be read as a picture.`);
  }
  try {
    const scale = Math.min(1, LONGEST_EDGE / Math.max(bitmap.width, bitmap.height));
    if (keep && scale === 1)
      return { type: "image", data: await base64(file), mimeType: file.type };
    const type = file.type === "image/jpeg" ? "image/jpeg" : "image/webp";
    const blob = await draw(bitmap, scale, type);
    return { type: "image", data: await base64(blob), mimeType: blob.type };
  } finally {
    bitmap.close();
  }
}

async function draw(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob> {
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, 0.9));
  if (!blob) throw new Error("The picture is too large for this browser.");
  return blob;
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(new Error("The picture cannot be read."));
    reader.readAsDataURL(blob);
  });
}
