import type { MessageBuilder } from "../../message-builder.ts";
import { parseArguments } from "../../streamed-json.ts";
import type { ToolNames } from "../../tool-names.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";
import { sourceOf, withSource } from "./sources.ts";

/** One content block of the vendor while it arrives. `item` is the block as the vendor would give it whole. */
interface OpenBlock {
  item: Loose;
  /** Where our block stands; absent for blocks that are kept as they are and never shown. */
  contentIndex?: number;
  /** Pieces of `input`. */
  json: string[];
}

/** Reads the vendor's content blocks into ours, and keeps its own. */
export class BlockReader {
  /** The vendor's blocks in their order. */
  readonly items: Loose[] = [];
  private readonly open = new Map<unknown, OpenBlock>();
  private unnamed = 0;

  constructor(
    private readonly builder: MessageBuilder,
    private readonly names: ToolNames,
  ) {}

  /** Forgets blocks that were kept but never shown. */
  reset(): void {
    this.items.length = 0;
    this.open.clear();
  }

  start(index: unknown, content: unknown): void {
    this.stop(index);
    const item: Loose = isRecord(content) ? { ...content } : {};
    const block: OpenBlock = { item, json: [] };
    this.items.push(item);
    this.open.set(index, block);
    switch (item.type) {
      case "text": {
        block.contentIndex = this.builder.openText();
        const given = text(item.text);
        item.text = "";
        this.addText(block, given);
        if (Array.isArray(item.citations)) {
          for (const citation of item.citations) this.cite(block, citation);
        }
        break;
      }
      case "thinking": {
        block.contentIndex = this.builder.openThinking();
        const given = text(item.thinking);
        item.thinking = "";
        this.addThinking(block, given);
        const signature = text(item.signature);
        item.signature = "";
        this.sign(block, signature);
        break;
      }
      case "redacted_thinking":
        block.contentIndex = this.builder.openThinking({
          redacted: true,
          thinkingSignature: text(item.data),
        });
        break;
      case "tool_use":
        block.contentIndex = this.builder.openToolCall({
          id: text(item.id) || this.makeId(),
          name: this.names.fromVendor(text(item.name)),
        });
        break;
    }
  }

  delta(index: unknown, delta: unknown): void {
    if (!isRecord(delta)) return;
    const block = this.open.get(index) ?? this.unannounced(index, delta.type);
    if (!block) return;
    const { type } = block.item;
    switch (delta.type) {
      case "text_delta":
        if (type === "text") this.addText(block, text(delta.text));
        break;
      case "thinking_delta":
        if (type === "thinking") this.addThinking(block, text(delta.thinking));
        break;
      case "signature_delta":
        if (type === "thinking") this.sign(block, text(delta.signature));
        break;
      case "citations_delta":
        if (type === "text") {
          const before = Array.isArray(block.item.citations) ? block.item.citations : [];
          block.item.citations = [...before, delta.citation];
          this.cite(block, delta.citation);
        }
        break;
      case "input_json_delta": {
        const piece = text(delta.partial_json);
        block.json.push(piece);
        if (type === "tool_use") this.builder.toolCall(block.contentIndex as number, piece);
        break;
      }
      case "compaction_delta":
        for (const [name, value] of Object.entries(delta)) {
          if (name === "type") continue;
          const before = block.item[name];
          block.item[name] =
            typeof value === "string" && typeof before === "string" ? before + value : value;
        }
        break;
    }
  }

  stop(index: unknown): void {
    const block = this.open.get(index);
    if (!block) return;
    this.open.delete(index);
    const { contentIndex, item } = block;
    const json = block.json.join("");
    switch (item.type) {
      case "text":
        this.builder.closeText(contentIndex as number);
        break;
      case "thinking":
      case "redacted_thinking":
        this.builder.closeThinking(contentIndex as number);
        break;
      case "tool_use": {
        // Some hosts give the whole input where the block begins, and no deltas.
        const whole =
          json.trim() === "" && isRecord(item.input) && Object.keys(item.input).length > 0;
        this.builder.closeToolCall(
          contentIndex as number,
          whole ? JSON.stringify(item.input) : undefined,
        );
        const call = this.builder.toolCallAt(contentIndex as number);
        item.id = call.id;
        item.input = call.arguments;
        break;
      }
      default:
        if (json.trim() !== "") item.input = parseArguments(json).arguments;
    }
  }

  /** Ends what the vendor left open, in order. */
  stopAll(): void {
    for (const index of [...this.open.keys()]) this.stop(index);
  }

  /** Some hosts leave out where a block begins. */
  private unannounced(index: unknown, deltaType: unknown): OpenBlock | undefined {
    const type =
      deltaType === "text_delta" ? "text" : deltaType === "thinking_delta" ? "thinking" : undefined;
    if (!type) return undefined;
    this.start(index, { type });
    return this.open.get(index);
  }

  private addText(block: OpenBlock, delta: string): void {
    block.item.text = text(block.item.text) + delta;
    this.builder.text(block.contentIndex as number, delta);
  }

  private addThinking(block: OpenBlock, delta: string): void {
    block.item.thinking = text(block.item.thinking) + delta;
    this.builder.thinking(block.contentIndex as number, delta);
  }

  private sign(block: OpenBlock, piece: string): void {
    if (!piece) return;
    block.item.signature = text(block.item.signature) + piece;
    this.builder.thinkingAt(block.contentIndex as number).thinkingSignature = text(
      block.item.signature,
    );
  }

  private cite(block: OpenBlock, citation: unknown): void {
    const source = sourceOf(citation);
    if (!source) return;
    const ours = this.builder.textAt(block.contentIndex as number);
    ours.sources = withSource(ours.sources, source);
  }

  private makeId(): string {
    this.unnamed++;
    return `call_${this.builder.message.timestamp.toString(36)}_${this.unnamed}`;
  }
}
