import type { MessageBuilder } from "../../message-builder.ts";
import { type CallReader, CustomCallItem, FunctionCallItem } from "./call-items.ts";
import { type Loose, numberOf, textOf } from "./loose.ts";
import { MessageItem } from "./message-item.ts";
import type { OutputItem } from "./output-item.ts";
import { ReasoningItem } from "./reasoning-item.ts";
import { ServerItem } from "./server-item.ts";

/**
 * The items of a response's output, and which of them an event is about: the one at its `output_index`, since some gateways
 * give every event another item id.
 */
export class Output {
  readonly items: OutputItem[] = [];
  private readonly byIndex = new Map<number, OutputItem>();
  private readonly byId = new Map<string, OutputItem>();
  /** The answer to the last question of `find`, which is nearly always that to the next one. */
  private recent: { index: unknown; id: unknown; item: OutputItem | undefined } | undefined;

  constructor(
    private readonly builder: MessageBuilder,
    private readonly reader: CallReader,
  ) {}

  open(item: Loose, outputIndex: number | undefined): OutputItem {
    const opened = this.create(item, outputIndex);
    this.items.push(opened);
    this.recent = undefined;
    if (outputIndex !== undefined) this.byIndex.set(outputIndex, opened);
    if (opened.id) this.byId.set(opened.id, opened);
    return opened;
  }

  /** The item that a delta belongs to. Where several share an index, the id tells them apart. */
  find(event: Loose): OutputItem | undefined {
    const { recent } = this;
    if (recent && recent.id === event.item_id && recent.index === event.output_index) {
      return recent.item;
    }
    const item = this.lookUp(event);
    this.recent = { index: event.output_index, id: event.item_id, item };
    return item;
  }

  private lookUp(event: Loose): OutputItem | undefined {
    const index = numberOf(event.output_index);
    const byId = this.byId.get(textOf(event.item_id) ?? "");
    if (index === undefined) return byId ?? this.items.at(-1);
    if (byId?.outputIndex === index) return byId;
    return this.byIndex.get(index) ?? byId;
  }

  /** The streamed item that a finished one is the end of. */
  match(item: Loose, outputIndex: number | undefined): OutputItem | undefined {
    const type = textOf(item.type);
    const byId = this.byId.get(textOf(item.id) ?? "");
    if (byId?.type === type) return byId;
    const atIndex = outputIndex === undefined ? undefined : this.byIndex.get(outputIndex);
    return atIndex?.type === type ? atIndex : undefined;
  }

  private create(item: Loose, outputIndex: number | undefined): OutputItem {
    switch (item.type) {
      case "message":
        return new MessageItem(item, outputIndex, this.builder);
      case "reasoning":
        return new ReasoningItem(item, outputIndex, this.builder);
      case "function_call":
        return new FunctionCallItem(item, outputIndex, this.builder, this.reader);
      case "custom_tool_call":
        return new CustomCallItem(item, outputIndex, this.builder, this.reader);
      default:
        return new ServerItem(item, outputIndex, this.builder);
    }
  }
}
