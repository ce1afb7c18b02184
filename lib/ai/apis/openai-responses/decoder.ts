import type { Decoder } from "../../adapter.ts";
import { ProviderError } from "../../errors.ts";
import type { MessageBuilder } from "../../message-builder.ts";
import type { Model } from "../../types.ts";
import { argumentText, CallItem, type CallReader } from "./call-items.ts";
import { failureFromEvent, failureFromResponse } from "./errors.ts";
import { isLoose, type Loose, listOf, looseOf, numberOf, stringOf, textOf } from "./loose.ts";
import { MessageItem } from "./message-item.ts";
import { Output } from "./output.ts";
import type { OutputItem } from "./output-item.ts";
import { ReasoningItem } from "./reasoning-item.ts";
import { ServerItem } from "./server-item.ts";
import { usageFrom } from "./usage.ts";

const knownStatuses = new Set(["completed", "incomplete", "in_progress", "queued"]);

/** Reads a Responses stream. Events that it does not know are passed over. */
export class ResponsesDecoder implements Decoder {
  private readonly output: Output;
  private response: Loose | undefined;
  /** What the last event was called: completed, incomplete, … */
  private kind = "";

  constructor(
    private readonly builder: MessageBuilder,
    private readonly model: Model,
    reader: CallReader,
    /** The tier that was asked for; what the response says counts more. */
    private readonly requestedTier: string | undefined,
  ) {
    this.output = new Output(builder, reader);
  }

  get complete(): boolean {
    return this.response !== undefined;
  }

  get finishable(): boolean {
    return this.complete;
  }

  event(event: unknown, name: string | undefined): void {
    if (!isLoose(event) || this.complete) return;
    const type = textOf(event.type) ?? name;
    switch (type) {
      // Deltas first: they are nearly all of a stream, and each name above costs a comparison.
      case "response.output_text.delta":
      case "response.refusal.delta":
        this.message(event).delta(partOf(event), stringOf(event.delta) ?? "");
        break;
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        this.call(event)?.delta(stringOf(event.delta) ?? "");
        break;
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        this.identify(looseOf(event.response));
        break;
      case "response.output_item.added":
        this.added(looseOf(event.item), numberOf(event.output_index));
        break;
      case "response.output_item.done":
        this.done(looseOf(event.item), numberOf(event.output_index));
        break;
      case "response.content_part.added":
      case "response.content_part.done": {
        const part = looseOf(event.part);
        this.part(event, textOf(part.text) ?? textOf(part.refusal));
        break;
      }
      case "response.output_text.done":
        this.part(event, textOf(event.text));
        break;
      case "response.refusal.done":
        this.part(event, textOf(event.refusal));
        break;
      case "response.output_text.annotation.added": {
        const item = this.output.find(event);
        if (item instanceof MessageItem) item.annotate(looseOf(event.annotation));
        break;
      }
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_summary.delta":
      case "response.reasoning_text.delta":
      case "response.reasoning.delta":
        this.reasoning(event).delta(partOf(event), stringOf(event.delta) ?? "");
        break;
      case "response.reasoning_summary_text.done":
      case "response.reasoning_text.done":
        this.part(event, textOf(event.text));
        break;
      case "response.function_call_arguments.done": {
        const whole = argumentText(event.arguments);
        if (whole !== undefined) this.call(event)?.whole(whole);
        break;
      }
      case "response.custom_tool_call_input.done":
        if (typeof event.input === "string") this.call(event)?.whole(event.input);
        break;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
      case "response.done":
        this.end(looseOf(event.response), type.slice("response.".length));
        break;
      case "error":
        throw failureFromEvent(event);
      default:
        if (type === undefined && event.error) throw failureFromEvent(event);
    }
  }

  finish(): void {
    if (!this.response) {
      throw new ProviderError("The stream ended before the response was complete.", {
        errorClass: "ended-early",
      });
    }
    this.settle(this.response);
  }

  private identify(response: Loose): void {
    const { message } = this.builder;
    const id = textOf(response.id);
    if (id) message.responseId ??= id;
    const model = textOf(response.model);
    if (model && model !== message.model) message.responseModel = model;
  }

  private added(item: Loose, index: number | undefined): void {
    if (textOf(item.type)) this.output.open(item, index);
  }

  private done(item: Loose, index: number | undefined): void {
    if (!textOf(item.type)) return;
    const streamed = this.output.match(item, index);
    // Where items share an index, a finished one that was never announced must not be taken for its neighbour.
    const other = streamed?.closed && streamed.id !== textOf(item.id) && isCall(item);
    const open = streamed && !other ? streamed : this.output.open(item, index);
    open.finish(item);
  }

  private message(event: Loose): MessageItem {
    const item = this.output.find(event);
    return item instanceof MessageItem ? item : (this.unannounced("message", event) as MessageItem);
  }

  private reasoning(event: Loose): ReasoningItem {
    const item = this.output.find(event);
    return item instanceof ReasoningItem
      ? item
      : (this.unannounced("reasoning", event) as ReasoningItem);
  }

  private unannounced(type: string, event: Loose): OutputItem {
    const id = textOf(event.item_id);
    return this.output.open({ type, ...(id && { id }) }, numberOf(event.output_index));
  }

  private call(event: Loose): CallItem | undefined {
    const item = this.output.find(event);
    return item instanceof CallItem ? item : undefined;
  }

  /** A whole part of a message or of reasoning. */
  private part(event: Loose, text: string | undefined): void {
    if (!text) return;
    const item = this.output.find(event);
    if (item instanceof MessageItem || item instanceof ReasoningItem) {
      item.whole(partOf(event), text);
    }
  }

  private end(response: Loose, kind: string): void {
    this.response = response;
    this.kind = kind;
    const { message } = this.builder;
    this.identify(response);
    const status = textOf(response.status);
    if (status) message.rawStopReason = status;
    const tier = response.service_tier ?? this.requestedTier;
    const usage = usageFrom(this.model, response.usage, tier);
    if (usage) message.usage = usage;
    const failed = ["failed", "cancelled"].find((word) => word === status || word === kind);
    if (failed) throw failureFromResponse(response, failed);
    this.backfill(listOf(response.output));
  }

  /** What the finished response holds and its stream did not: whole items, the end of items, encrypted reasoning. */
  private backfill(items: Loose[]): void {
    const left = new Set(this.output.items);
    const pairs = items.map((item, index) => {
      const streamed = this.output.match(item, index);
      if (streamed) left.delete(streamed);
      return { item, index, streamed };
    });
    for (const { item, index, streamed } of pairs) {
      const sameType = streamed ?? [...left].find((candidate) => candidate.type === item.type);
      if (sameType) left.delete(sameType);
      if (!sameType) this.done(item, index);
      else if (!sameType.closed) sameType.finish(item);
      else if (sameType instanceof ReasoningItem) sameType.complete(item);
    }
  }

  private settle(response: Loose): void {
    const { message } = this.builder;
    const reason = textOf(looseOf(response.incomplete_details).reason);
    const cutOff = (message.rawStopReason ?? this.kind) === "incomplete";
    if (cutOff && reason !== "max_output_tokens" && reason !== "max_tokens") {
      throw failureFromResponse(response, "incomplete");
    }
    const calls = this.output.items.filter((item) => item instanceof CallItem);
    const broken = calls.find((call) => !call.hasWholeInput);
    if (broken && !cutOff) {
      throw new ProviderError(`The call of ${broken.name || "a tool"} never came to its end.`, {
        errorClass: "ended-early",
      });
    }
    for (const item of this.output.items) item.abandon();
    this.keepNative();
    const raw = message.rawStopReason;
    if (raw !== undefined && !knownStatuses.has(raw)) {
      message.diagnostics = [
        ...(message.diagnostics ?? []),
        { type: "unknown-stop-reason", timestamp: Date.now(), details: { stopReason: raw } },
      ];
    }
    message.stopReason = cutOff ? "length" : calls.length > 0 ? "toolUse" : "stop";
  }

  /** Keeps the vendor's items where our blocks alone would lose something (P-401). */
  private keepNative(): void {
    const { items } = this.output;
    const lossy = items.some(
      (item) => item instanceof ServerItem || (item instanceof MessageItem && item.hasAnnotations),
    );
    if (!lossy) return;
    const finished = items.filter((item) => item.finished).map((item) => item.latest);
    this.builder.message.native = { api: this.model.api, items: finished };
  }
}

function isCall(item: Loose): boolean {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

/** Which part of its item an event is about; summaries and texts are counted apart. */
function partOf(event: Loose): string {
  const summary = numberOf(event.summary_index);
  if (summary !== undefined) return `summary ${summary}`;
  const index = numberOf(event.content_index) ?? 0;
  return index === 0 ? "text 0" : `text ${index}`;
}
