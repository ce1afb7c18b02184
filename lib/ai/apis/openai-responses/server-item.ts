import type { MessageBuilder } from "../../message-builder.ts";
import { imagesFrom } from "./images.ts";
import type { Loose } from "./loose.ts";
import { OutputItem } from "./output-item.ts";

/**
 * What the vendor does by itself (searches, runs code, makes images …): no block of ours; the item is kept for replay, and
 * its images are the message's.
 */
export class ServerItem extends OutputItem {
  constructor(
    item: Loose,
    outputIndex: number | undefined,
    private readonly builder: MessageBuilder,
  ) {
    super(item, outputIndex);
  }

  protected close(): void {
    if (!this.finished) return;
    const images = imagesFrom(this.latest);
    if (images.length > 0) {
      this.builder.message.images = [...(this.builder.message.images ?? []), ...images];
    }
  }
}
