import type { Source } from "../../types.ts";
import { type Loose, looseOf, numberOf, textOf } from "./loose.ts";

/**
 * What a message's annotations say that its text rests on (P-402). A cited file has no address, so it is named by a URN.
 * @param offset where the annotated part begins in the block's text, UTF-16 units
 * @param partText the text of the annotated part; the vendor counts its characters, not UTF-16 units
 */
export function sourcesFrom(annotations: Loose[], partText: string, offset: number): Source[] {
  const units = unitIndex(partText);
  return annotations.flatMap((annotation) => {
    const source = sourceFrom(annotation);
    if (!source) return [];
    const start = units(numberOf(annotation.start_index) ?? numberOf(annotation.index));
    const end = units(numberOf(annotation.end_index) ?? numberOf(annotation.index));
    if (start !== undefined && end !== undefined && start <= end) {
      source.start = offset + start;
      source.end = offset + end;
    }
    return [source];
  });
}

function sourceFrom(annotation: Loose): Source | undefined {
  // OpenRouter puts the fields one level down.
  const details = annotation.url_citation ? looseOf(annotation.url_citation) : annotation;
  const url = textOf(details.url) ?? fileUrn(annotation);
  if (!url) return undefined;
  const title = textOf(details.title) ?? textOf(annotation.filename);
  return { url, ...(title !== undefined && { title }) };
}

function fileUrn(annotation: Loose): string | undefined {
  const id = textOf(annotation.file_id);
  return id && `urn:openai:file:${encodeURIComponent(id)}`;
}

/** Maps an index in characters to one in UTF-16 units; undefined when it lies outside the text. */
function unitIndex(text: string): (index: number | undefined) => number | undefined {
  let starts: number[] | undefined;
  return (index) => {
    if (index === undefined || index < 0) return undefined;
    if (!/[\ud800-\udbff]/.test(text)) return index <= text.length ? index : undefined;
    if (!starts) {
      starts = [];
      let at = 0;
      for (const character of text) {
        starts.push(at);
        at += character.length;
      }
      starts.push(at);
    }
    return starts[index];
  };
}
