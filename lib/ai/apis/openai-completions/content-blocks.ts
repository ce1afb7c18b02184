import type { MessageBuilder } from "../../message-builder.ts";
import type { Loose } from "../../vendor-json.ts";
import { ReasoningDetails, type ReasoningField } from "./reasoning.ts";

interface ThinkingBlock {
  contentIndex: number;
  field: ReasoningField | undefined;
  details: ReasoningDetails;
}

/**
 * The text and thinking blocks of one answer. A block ends when another kind begins, so that the order of blocks is the order
 * of the model's words. White space makes no block of its own.
 */
export class ContentBlocks {
  private current: "text" | "thinking" | undefined;
  private contentIndex = -1;
  /** White space that waits for the first word of a block of its kind. */
  private blank = "";
  private blankKind: "text" | "thinking" | undefined;
  private readonly thinkingBlocks: ThinkingBlock[] = [];

  constructor(private readonly builder: MessageBuilder) {}

  text(delta: string): void {
    const told = this.told("text", delta);
    if (told === undefined) return;
    if (this.current !== "text") {
      this.close();
      this.contentIndex = this.builder.openText();
      this.current = "text";
    }
    this.builder.text(this.contentIndex, told);
  }

  /** @param field where the host gave the thinking; undefined where it has no field to take it back */
  thinking(delta: string, field?: ReasoningField): void {
    const told = this.told("thinking", delta);
    if (told === undefined) return;
    if (this.current !== "thinking") this.openThinking();
    const block = this.thinkingBlocks.at(-1) as ThinkingBlock;
    block.field ??= field;
    this.builder.thinking(this.contentIndex, told);
  }

  /** Details belong to the thinking before them, or stand for thinking that nobody may see. */
  detail(detail: Loose): void {
    if (this.thinkingBlocks.length === 0) this.openThinking();
    this.thinkingBlocks.at(-1)?.details.add(detail);
  }

  /** Ends the open block, since something else begins. */
  close(): void {
    this.blank = "";
    if (this.current === "text") this.builder.closeText(this.contentIndex);
    else if (this.current === "thinking") this.closeThinking();
    this.current = undefined;
  }

  /** After the last event: ends the open block, and signs thinking with details that came after its end. */
  finish(): void {
    this.close();
    for (const block of this.thinkingBlocks) {
      const signature = signatureOf(block);
      if (signature !== undefined) {
        this.builder.thinkingAt(block.contentIndex).thinkingSignature = signature;
      }
    }
  }

  /** The delta with the white space that was held back before it, or undefined while there is nothing else. */
  private told(kind: "text" | "thinking", delta: string): string | undefined {
    if (this.current === kind) return delta;
    if (this.blankKind !== kind) this.blank = "";
    this.blankKind = kind;
    this.blank += delta;
    if (delta.trim() === "") return undefined;
    const told = this.blank;
    this.blank = "";
    return told;
  }

  private openThinking(): void {
    this.close();
    this.contentIndex = this.builder.openThinking();
    this.current = "thinking";
    this.thinkingBlocks.push({
      contentIndex: this.contentIndex,
      field: undefined,
      details: new ReasoningDetails(),
    });
  }

  private closeThinking(): void {
    const block = this.thinkingBlocks.at(-1) as ThinkingBlock;
    const hidden = !block.details.isEmpty && block.details.isOpaque;
    const seen = this.builder.thinkingAt(block.contentIndex).thinking !== "";
    this.builder.closeThinking(block.contentIndex, {
      thinkingSignature: signatureOf(block),
      ...(hidden && !seen && { redacted: true }),
    });
  }
}

function signatureOf({ field, details }: ThinkingBlock): string | undefined {
  // Hosts with this field want it back; unsigned details beside it say the same once more.
  if (details.isEmpty || (field === "reasoning_content" && !details.isSigned)) return field;
  return details.toSignature();
}
