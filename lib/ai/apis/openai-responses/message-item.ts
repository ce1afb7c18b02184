import type { MessageBuilder } from "../../message-builder.ts";
import type { Source } from "../../types.ts";
import { type Loose, listOf, stringOf } from "./loose.ts";
import { OutputItem, StreamedParts } from "./output-item.ts";
import { textSignature } from "./signatures.ts";
import { sourcesFrom } from "./sources.ts";

/** A message: all its parts, refusals too, are one text block. */
export class MessageItem extends OutputItem {
  private readonly contentIndex: number;
  /** The part that the whole text belongs to, as long as there is one only. */
  private onlyPart: string | undefined;
  private severalParts: StreamedParts | undefined;
  private readonly annotations: Loose[] = [];

  constructor(
    item: Loose,
    outputIndex: number | undefined,
    private readonly builder: MessageBuilder,
  ) {
    super(item, outputIndex);
    this.contentIndex = builder.openText();
  }

  delta(part: string, text: string): void {
    if (this.closed) return;
    this.count(part, text);
    this.builder.text(this.contentIndex, text);
  }

  /** A part's whole text: only what has not been streamed of it is told. */
  whole(part: string, text: string): void {
    const streamed = this.severalParts?.get(part) ?? (part === this.onlyPart ? this.text : "");
    if (text.startsWith(streamed)) this.delta(part, text.slice(streamed.length));
  }

  private count(part: string, text: string): void {
    this.onlyPart ??= part;
    if (!this.severalParts) {
      if (part === this.onlyPart) return;
      this.severalParts = new StreamedParts();
      this.severalParts.add(this.onlyPart, this.text);
    }
    this.severalParts.add(part, text);
  }

  private get text(): string {
    return this.builder.textAt(this.contentIndex).text;
  }

  annotate(annotation: Loose): void {
    this.annotations.push(annotation);
  }

  get hasAnnotations(): boolean {
    return this.annotations.length > 0 || this.parts().some((part) => part.annotations.length > 0);
  }

  protected close(): void {
    const parts = this.parts();
    const whole = parts.map((part) => part.text).join("");
    const block = this.builder.textAt(this.contentIndex);
    if (whole.startsWith(block.text)) {
      this.builder.text(this.contentIndex, whole.slice(block.text.length));
    }
    const text = whole || block.text;
    const sources = this.sources(parts, text);
    if (sources.length > 0) block.sources = sources;
    this.builder.closeText(this.contentIndex, { text, textSignature: textSignature(this.latest) });
  }

  private sources(parts: { text: string; annotations: Loose[] }[], text: string): Source[] {
    const sources: Source[] = [];
    let offset = 0;
    for (const part of parts) {
      sources.push(...sourcesFrom(part.annotations, part.text, offset));
      offset += part.text.length;
    }
    return sources.length > 0 ? sources : sourcesFrom(this.annotations, text, 0);
  }

  private parts(): { text: string; annotations: Loose[] }[] {
    return listOf(this.latest.content).map((part) => ({
      text: stringOf(part.text) ?? stringOf(part.refusal) ?? "",
      annotations: listOf(part.annotations),
    }));
  }
}
