import { HttpError } from "../errors";
import { fetchDocument } from "../tools/fetch-url/fetch-document";

export interface RemoteImage {
  mediaType: string;
  body: Uint8Array<ArrayBuffer>;
}

const maxBytes = 10 * 1024 * 1024;
const timeLimitMs = 15_000;

/** The formats that browsers draw and that can hold no script, by their first bytes. */
const SIGNATURES: readonly [mediaType: string, at: number, bytes: string][] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["image/avif", 4, "ftypavif"],
  ["image/avif", 4, "ftypavis"],
];

/**
 * An image that a message points to, fetched for a person who asked to see it: the page itself may talk to nobody, and the
 * image's host learns nothing of the person.
 *
 * @param fetch must check each address while it connects
 * @throws HttpError 415 for what is no image, 413 above 10 MB, 502 when it cannot be had, for a refused address too
 */
export async function remoteImage(
  url: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<RemoteImage> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
  const document = await fetchDocument(url, within, {
    fetch,
    maxBytes,
    maxRedirects: 3,
    accept: "image/avif,image/webp,image/png,image/jpeg,image/gif",
  }).catch((error: unknown) => {
    throw new HttpError(502, "image-unreachable", `The image cannot be had: ${sentence(error)}`);
  });
  if (document.status !== 200) {
    const said = `Its server answered with status ${document.status}.`;
    throw new HttpError(502, "image-unreachable", `The image cannot be had. ${said}`);
  }
  if (document.cut) {
    throw new HttpError(413, "image-too-large", "The image is larger than 10 MB.");
  }
  const body = new Uint8Array(document.body);
  const mediaType = imageType(body);
  if (!mediaType) {
    const known = "PNG, JPEG, GIF, WebP and AVIF";
    throw new HttpError(415, "not-an-image", `What is there is no image. ${known} can be shown.`);
  }
  return { mediaType, body };
}

/** What the bytes are, whatever a server calls them; undefined when they are none of the images that are shown. */
export function imageType(body: Uint8Array): string | undefined {
  const head = String.fromCharCode(...body.subarray(0, 16));
  return SIGNATURES.find(([, at, bytes]) => head.startsWith(bytes, at))?.[0];
}

function sentence(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return "it took too long.";
  return error instanceof Error ? error.message : "the connection failed.";
}
