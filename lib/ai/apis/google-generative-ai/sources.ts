import type { AssistantMessage, Source, TextContent } from "../../types.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";

/** What an answer's grounding said last, gathered over its chunks. */
export class GroundingCollector {
  private chunks: Loose[] = [];
  private supports: Loose[] = [];
  private readonly citations: Loose[] = [];
  private readonly pages: string[] = [];

  add(candidate: Loose): void {
    const { groundingMetadata: grounding, citationMetadata: cited } = candidate;
    const context = candidate.urlContextMetadata;
    if (isRecord(grounding)) {
      const chunks = records(grounding.groundingChunks);
      const supports = records(grounding.groundingSupports);
      if (chunks.length > 0) this.chunks = chunks;
      if (supports.length > 0) this.supports = supports;
    }
    if (isRecord(cited)) {
      this.citations.push(...records(cited.citationSources), ...records(cited.citations));
    }
    if (!isRecord(context)) return;
    for (const { retrievedUrl, urlRetrievalStatus } of records(context.urlMetadata)) {
      if (text(retrievedUrl) && /SUCCESS/.test(text(urlRetrievalStatus))) {
        this.pages.push(text(retrievedUrl));
      }
    }
  }

  /** Gives the text blocks of an answer their sources. The vendor counts bytes of the whole text; ours are places in a block. */
  apply(message: AssistantMessage): void {
    const blocks = message.content.filter((block) => block.type === "text");
    if (blocks.length === 0 || this.isEmpty) return;
    const places = new TextPlaces(blocks);
    const named = this.chunks.map(chunkSource);
    const used = new Set<string>();
    const give = (source: Source | undefined, segment?: Loose): void => {
      if (!source) return;
      used.add(source.url);
      places.attach(source, segment);
    };
    for (const support of this.supports) {
      const segment = isRecord(support.segment) ? support.segment : undefined;
      const indices = Array.isArray(support.groundingChunkIndices)
        ? support.groundingChunkIndices
        : [];
      for (const index of indices) give(named[Number(index)], segment);
    }
    for (const citation of this.citations) {
      const url = text(citation.uri);
      if (url)
        give({ url, ...(text(citation.title) && { title: text(citation.title) }) }, citation);
    }
    for (const source of [...named, ...this.pages.map((url): Source => ({ url }))]) {
      if (source && !used.has(source.url)) give(source);
    }
  }

  private get isEmpty(): boolean {
    return this.chunks.length + this.citations.length + this.pages.length === 0;
  }
}

function records(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A stored document may have no address of its own; then the store that holds it is named. */
function chunkSource(chunk: Loose): Source | undefined {
  const kind = [chunk.web, chunk.retrievedContext, chunk.maps, chunk.image].find(isRecord);
  if (!kind) return undefined;
  const address = records(kind.customMetadata)
    .map(({ stringValue }) => text(stringValue))
    .find((value) => /^https?:\/\//.test(value));
  const url =
    text(kind.uri) ||
    text(kind.sourceUri) ||
    address ||
    text(kind.documentName) ||
    text(kind.fileSearchStore);
  const title = text(kind.title);
  return url ? { url, ...(title && { title }) } : undefined;
}

/** Finds the block and the place in it that a segment of the whole text means. */
class TextPlaces {
  private readonly whole: string;
  private readonly bytes: Uint8Array;

  constructor(private readonly blocks: TextContent[]) {
    this.whole = blocks.map((block) => block.text).join("");
    this.bytes = new TextEncoder().encode(this.whole);
  }

  attach(source: Source, segment: Loose | undefined): void {
    const range = segment && this.range(segment);
    const placed = range && this.placeOf(range.start, range.end);
    const block = placed?.block ?? this.blocks.at(-1);
    if (!block) return;
    const added: Source = placed ? { ...source, start: placed.start, end: placed.end } : source;
    const known = block.sources ?? [];
    const same = known.some(
      ({ url, start, end }) => url === added.url && start === added.start && end === added.end,
    );
    if (!same) block.sources = [...known, added];
  }

  /** Places in the whole text, or undefined when the segment fits nowhere. */
  private range(segment: Loose): { start: number; end: number } | undefined {
    const quoted = text(segment.text);
    const from = typeof segment.startIndex === "number" ? segment.startIndex : 0;
    const to = segment.endIndex;
    if (typeof to === "number" && from >= 0 && from < to && to <= this.bytes.length) {
      const start = this.decode(0, from).length;
      const found = this.decode(from, to);
      if (!quoted || found === quoted) return { start, end: start + found.length };
    }
    const start = quoted ? this.whole.indexOf(quoted) : -1;
    return start < 0 ? undefined : { start, end: start + quoted.length };
  }

  private decode(from: number, to: number): string {
    return new TextDecoder().decode(this.bytes.subarray(from, to));
  }

  private placeOf(
    start: number,
    end: number,
  ): { block: TextContent; start: number; end: number } | undefined {
    let before = 0;
    for (const block of this.blocks) {
      const after = before + block.text.length;
      if (start < after) {
        return { block, start: start - before, end: Math.min(end, after) - before };
      }
      before = after;
    }
    return undefined;
  }
}
