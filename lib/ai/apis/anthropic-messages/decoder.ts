import type { Decoder } from "../../adapter.ts";
import type { AnthropicMessagesCompat } from "../../compat.ts";
import { ProviderError } from "../../errors.ts";
import type { MessageBuilder } from "../../message-builder.ts";
import type { ToolNames } from "../../tool-names.ts";
import type { Model } from "../../types.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";
import { BlockReader } from "./blocks.ts";
import { needsNative } from "./native.ts";
import { applyStopReason, streamError } from "./stop-reason.ts";
import { UsageCounter } from "./usage.ts";

/** Reads the events of one answer. Events and fields that it does not know are passed over. */
export class AnthropicDecoder implements Decoder {
  private readonly blocks: BlockReader;
  private readonly usage: UsageCounter;
  private stopReason: string | undefined;
  private stopDetails: unknown;
  private started = false;
  private stopped = false;

  constructor(
    private readonly builder: MessageBuilder,
    private readonly model: Model,
    compat: AnthropicMessagesCompat,
    names: ToolNames,
  ) {
    this.blocks = new BlockReader(builder, names);
    this.usage = new UsageCounter(model, compat);
  }

  get complete(): boolean {
    return this.stopped;
  }

  get finishable(): boolean {
    return this.stopped;
  }

  event(event: unknown, name: string | undefined): void {
    if (this.stopped || !isRecord(event)) return;
    switch (event.type ?? name) {
      case "message_start":
        this.messageStart(event.message);
        break;
      case "content_block_start":
        this.blocks.start(event.index, event.content_block);
        break;
      case "content_block_delta":
        this.blocks.delta(event.index, event.delta);
        break;
      case "content_block_stop":
        this.blocks.stop(event.index);
        break;
      case "message_delta":
        this.messageDelta(event);
        break;
      case "message_stop":
        this.stopped = true;
        break;
      case "error":
        throw streamError(event);
      default:
        if (event.type === undefined && event.error !== undefined) throw streamError(event);
    }
  }

  finish(): void {
    const { message } = this.builder;
    if (!this.stopped) {
      throw new ProviderError(
        "The stream ended before message_stop, so the answer is incomplete.",
        { errorClass: "ended-early" },
      );
    }
    this.blocks.stopAll();
    if (needsNative(this.blocks.items)) {
      message.native = { api: "anthropic-messages", items: this.blocks.items };
    }
    applyStopReason(message, this.stopReason, this.stopDetails);
  }

  private messageStart(started: unknown): void {
    const { message } = this.builder;
    if (this.started) {
      // A gateway that tried again: the newer answer counts, as long as nobody has seen the older one.
      if (message.content.length > 0) {
        throw new ProviderError("The host began the answer anew in the middle of it.", {
          errorClass: "ended-early",
        });
      }
      this.blocks.reset();
      this.usage.reset();
      delete message.responseId;
      delete message.responseModel;
    }
    this.started = true;
    if (!isRecord(started)) return;
    const id = text(started.id);
    if (id) message.responseId = id;
    const model = text(started.model);
    if (model && model !== this.model.id) message.responseModel = model;
    this.addUsage(started.usage);
  }

  private messageDelta(event: Loose): void {
    const delta = isRecord(event.delta) ? event.delta : {};
    const reason = text(delta.stop_reason);
    if (reason) {
      this.stopReason = reason;
      this.builder.message.rawStopReason = reason;
    }
    if (isRecord(delta.stop_details)) this.stopDetails = delta.stop_details;
    this.addUsage(event.usage);
  }

  private addUsage(told: unknown): void {
    const usage = this.usage.add(told);
    if (usage) this.builder.message.usage = usage;
  }
}
