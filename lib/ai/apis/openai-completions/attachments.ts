import type { MessageBuilder } from "../../message-builder.ts";
import type { ImageContent, Source } from "../../types.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";

/** Images and sources that come beside the text. */
export class Attachments {
  private readonly images: ImageContent[] = [];
  /** From search hosts: the newest list counts, since each chunk repeats it. */
  private pages: unknown[] = [];
  private readonly annotations: Source[] = [];

  /** Reads what a chunk holds at its top. */
  chunk(chunk: Loose): void {
    const pages = filled(chunk.search_results) ?? filled(chunk.citations);
    if (pages) this.pages = pages;
  }

  /** Reads what stands in a delta or message beside its content. */
  delta(delta: Loose): void {
    if (delta.images) for (const image of listOf(delta.images)) this.image(image);
    if (!delta.annotations) return;
    for (const annotation of listOf(delta.annotations)) {
      const source = sourceOf(
        isRecord(annotation.url_citation) ? annotation.url_citation : annotation,
      );
      if (source) this.annotations.push(source);
    }
  }

  /** An `image_url` part. An image that is only linked is left to its link. */
  image(part: Loose): void {
    const given = isRecord(part.image_url) ? part.image_url.url : part.image_url;
    const data = /^data:([\w.+/-]+);base64,/.exec(typeof given === "string" ? given : "");
    if (!data) return;
    this.images.push({
      type: "image",
      mimeType: data[1] as string,
      data: (given as string).slice(data[0].length),
    });
  }

  /** After the last event: images to the message, sources to its last text. */
  finish(builder: MessageBuilder): void {
    if (this.images.length > 0) {
      builder.message.images = [...(builder.message.images ?? []), ...this.images];
    }
    const pages = this.pages
      .map((page) => (typeof page === "string" ? { url: page } : isRecord(page) && sourceOf(page)))
      .filter((page) => page !== undefined && page !== false);
    const sources = [...this.annotations, ...pages];
    const text = builder.message.content.findLast((block) => block.type === "text");
    if (text && sources.length > 0) text.sources = sources;
  }
}

function filled(list: unknown): unknown[] | undefined {
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

function listOf(value: unknown): Loose[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function sourceOf(page: Loose): Source | undefined {
  if (typeof page.url !== "string" || page.url === "") return undefined;
  return {
    url: page.url,
    ...(typeof page.title === "string" && { title: page.title }),
    ...(typeof page.start_index === "number" && { start: page.start_index }),
    ...(typeof page.end_index === "number" && { end: page.end_index }),
  };
}
