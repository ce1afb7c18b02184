import type { FetchedDocument } from "./fetch-document";
import { type PageText, pageText } from "./page-text";
import { pdfText } from "./pdf-text";

/** The text of a document, by what kind it is. @throws Error for what has no text */
export async function documentText(document: FetchedDocument): Promise<PageText> {
  const { mediaType } = document;
  if (mediaType === "application/pdf" || isPdf(document.body)) return pdfText(document);
  if (mediaType === "text/html" || mediaType === "application/xhtml+xml") {
    return pageText(decode(document));
  }
  if (isJson(mediaType)) return { text: indented(decode(document)) };
  if (isText(mediaType)) return { text: decode(document) };
  if (mediaType === "" && !hasNull(document.body)) {
    const text = decode(document);
    return /^\s*<(?:!doctype html|html)/i.test(text) ? pageText(text) : { text };
  }
  throw new Error(
    `The document is ${mediaType || "of an unknown kind"}: only pages, text, JSON and PDF can be read.`,
  );
}

const isPdf = (body: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(body.subarray(0, 5)) === "%PDF-";
const isJson = (type: string): boolean => /^(?:application|text)\/(?:.+\+)?json$/.test(type);
const isText = (type: string): boolean =>
  type.startsWith("text/") ||
  /^application\/(?:.+\+)?(?:xml|yaml|javascript|x-ndjson|toml|x-sh|sql)$/.test(type);
const hasNull = (body: Uint8Array): boolean => body.subarray(0, 2000).includes(0);

function decode({ body, charset, mediaType }: FetchedDocument): string {
  const head = new TextDecoder("latin1").decode(body.subarray(0, 2048));
  const declared = mediaType.includes("html")
    ? /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1]
    : undefined;
  for (const label of [charset, declared]) {
    if (!label) continue;
    try {
      return new TextDecoder(label).decode(body);
    } catch {
      // A label that nobody knows: the next one, or UTF-8.
    }
  }
  return new TextDecoder().decode(body);
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 1);
  } catch {
    return json;
  }
}
