import type { Source } from "../../types.ts";
import { isRecord, text } from "../../vendor-json.ts";

/**
 * A citation of this vendor as a source of the text block that it stands in; the whole block rests on it. A document that was
 * sent along has no address, so it is named by its place: `document:0`.
 */
export function sourceOf(citation: unknown): Source | undefined {
  if (!isRecord(citation)) return undefined;
  const title = text(citation.title) || text(citation.document_title);
  const url =
    text(citation.url) ||
    text(citation.source) ||
    (typeof citation.document_index === "number" ? `document:${citation.document_index}` : "");
  return url ? { url, ...(title && { title }) } : undefined;
}

/** The list with one source more, unless it is there already. */
export function withSource(sources: Source[] | undefined, added: Source): Source[] {
  const known = sources ?? [];
  return known.some(({ url, title }) => url === added.url && title === added.title)
    ? known
    : [...known, added];
}
