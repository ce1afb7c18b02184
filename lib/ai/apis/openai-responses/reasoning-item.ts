import type { MessageBuilder } from "../../message-builder.ts";
import { type Loose, listOf, textOf } from "./loose.ts";
import { OutputItem, StreamedParts } from "./output-item.ts";

const partBreak = "\n\n";

/** Reasoning: its summary, or its text where the host shows it, is one thinking block, and the item is its signature. */
export class ReasoningItem extends OutputItem {
  private readonly contentIndex: number;
  private readonly streamed = new StreamedParts();

  constructor(
    item: Loose,
    outputIndex: number | undefined,
    private readonly builder: MessageBuilder,
  ) {
    super(item, outputIndex);
    this.contentIndex = builder.openThinking();
  }

  delta(part: string, text: string): void {
    if (this.closed || !text) return;
    // The break comes with the next part and not after each one, so that the deltas add up to the whole.
    if (!this.streamed.has(part) && this.streamed.size > 0) {
      this.builder.thinking(this.contentIndex, partBreak);
    }
    this.streamed.add(part, text);
    this.builder.thinking(this.contentIndex, text);
  }

  /** A part's whole text: only what has not been streamed of it is told. */
  whole(part: string, text: string): void {
    this.delta(part, this.streamed.rest(part, text));
  }

  /** Some hosts send the encrypted reasoning only with the finished response. */
  complete(item: Loose): void {
    if (this.latest.encrypted_content || !textOf(item.encrypted_content)) return;
    this.latest = { ...this.latest, encrypted_content: item.encrypted_content };
    this.builder.thinkingAt(this.contentIndex).thinkingSignature = JSON.stringify(this.latest);
  }

  protected close(): void {
    const whole = textsOf(this.latest.summary) || textsOf(this.latest.content);
    const { thinking } = this.builder.thinkingAt(this.contentIndex);
    if (whole.startsWith(thinking)) {
      this.builder.thinking(this.contentIndex, whole.slice(thinking.length));
    }
    this.builder.closeThinking(this.contentIndex, {
      ...(whole && { thinking: whole }),
      ...(this.finished && { thinkingSignature: JSON.stringify(this.latest) }),
    });
  }
}

function textsOf(parts: unknown): string {
  return listOf(parts)
    .flatMap((part) => textOf(part.text) ?? [])
    .join(partBreak);
}
