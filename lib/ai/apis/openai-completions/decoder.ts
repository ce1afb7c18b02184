import type { Decoder } from "../../adapter.ts";
import type { OpenAICompletionsCompat } from "../../compat.ts";
import { ProviderError } from "../../errors.ts";
import type { MessageBuilder } from "../../message-builder.ts";
import { randomId } from "../../random-id.ts";
import { shortHash } from "../../text.ts";
import type { Diagnostic, Model, StopReason } from "../../types.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";
import { Attachments } from "./attachments.ts";
import { readChunkError } from "./chunk-error.ts";
import { ContentBlocks } from "./content-blocks.ts";
import { type Finish, readFinishReason } from "./finish-reason.ts";
import { reasoningFields } from "./reasoning.ts";
import type { BuiltRequest } from "./request.ts";
import { ThinkTags } from "./think-tags.ts";
import { ToolCallFragments } from "./tool-call-fragments.ts";
import { findUsage, readUsage } from "./usage.ts";

/** Reads the chunks of one answer. Only the first choice counts. */
export class CompletionsDecoder implements Decoder {
  complete = false;

  private readonly blocks: ContentBlocks;
  private readonly calls: ToolCallFragments;
  private readonly tags: ThinkTags | undefined;
  private readonly attachments = new Attachments();
  private fallbackId: string | undefined;
  private created: unknown;
  private serviceTier: unknown;
  private refused = false;

  constructor(
    private readonly builder: MessageBuilder,
    private readonly model: Model,
    private readonly compat: OpenAICompletionsCompat,
    { names, tools }: Pick<BuiltRequest, "names" | "tools">,
  ) {
    this.blocks = new ContentBlocks(builder);
    this.calls = new ToolCallFragments(
      builder,
      names,
      tools,
      (ordinal) => this.makeCallId(ordinal),
      () => this.beforeCall(),
    );
    this.tags = compat.inlineThinkTags ? new ThinkTags(this.blocks) : undefined;
  }

  get finishable(): boolean {
    return (
      this.builder.message.rawStopReason !== undefined ||
      (!this.compat.supportsFinishReason && this.builder.message.content.length > 0)
    );
  }

  event(event: unknown, name: string | undefined): void {
    if (this.complete) return;
    if (event === "[DONE]") {
      this.complete = true;
    } else if (Array.isArray(event)) {
      for (const inner of event) this.event(inner, name);
    } else if (isRecord(event)) {
      this.chunk(event, name);
    } else if (name === "error") {
      throw new ProviderError(String(event));
    }
  }

  finish(): void {
    const { message } = this.builder;
    this.tags?.flush();
    const raw = message.rawStopReason;
    if (raw === undefined && this.compat.supportsFinishReason) {
      throw new ProviderError("The stream ended before the host gave a finish reason.", {
        errorClass: "ended-early",
      });
    }
    const finish = raw === undefined ? "stop" : readFinishReason(raw);
    this.blocks.finish();
    this.calls.finish(finish === "length");
    this.attachments.finish(this.builder);
    message.stopReason = this.stopReason(finish);
    this.addNotes(finish);
  }

  private chunk(chunk: Loose, name: string | undefined): void {
    const { message } = this.builder;
    if (typeof chunk.id === "string" && chunk.id !== "") message.responseId ??= chunk.id;
    if (typeof chunk.model === "string" && chunk.model !== "" && chunk.model !== this.model.id) {
      message.responseModel ??= chunk.model;
    }
    this.created ??= chunk.created;
    if (typeof chunk.service_tier === "string") this.serviceTier = chunk.service_tier;
    const choice = firstChoice(chunk);
    const usage = findUsage(chunk, choice);
    if (usage) message.usage = readUsage(usage, this.model, this.serviceTier);
    this.attachments.chunk(chunk);
    if (choice) this.choice(choice);
    const error = readChunkError(chunk, choice, name);
    if (error) throw error;
  }

  private choice(choice: Loose): void {
    if (isRecord(choice.delta)) this.delta(choice.delta);
    // Some hosts answer with a whole message though a stream was asked for; beside a delta it only repeats.
    else if (isRecord(choice.message) && this.builder.message.content.length === 0) {
      this.delta(choice.message);
    }
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
      this.builder.message.rawStopReason = choice.finish_reason;
    }
  }

  private delta(delta: Loose): void {
    for (const field of reasoningFields) {
      const thinking = delta[field];
      if (typeof thinking !== "string" || thinking === "") continue;
      this.thinking(thinking, field);
      break;
    }
    if (Array.isArray(delta.reasoning_details)) {
      for (const detail of delta.reasoning_details)
        if (isRecord(detail)) this.blocks.detail(detail);
    }
    if (typeof delta.content === "string") this.text(delta.content);
    else if (Array.isArray(delta.content)) for (const part of delta.content) this.part(part);
    if (typeof delta.refusal === "string" && delta.refusal !== "") {
      this.refused = true;
      this.blocks.text(delta.refusal);
    }
    if (Array.isArray(delta.tool_calls)) {
      for (const fragment of delta.tool_calls) if (isRecord(fragment)) this.calls.add(fragment);
    }
    if (isRecord(delta.function_call)) this.calls.add({ function: delta.function_call });
    this.attachments.delta(delta);
  }

  private part(part: unknown): void {
    if (typeof part === "string") this.text(part);
    if (!isRecord(part)) return;
    if (part.type === "thinking" || part.type === "reasoning") {
      this.thinking(textOfParts(part.thinking ?? part.reasoning ?? part.text));
    } else if (part.type === "refusal" && typeof part.refusal === "string") {
      this.refused = true;
      this.blocks.text(part.refusal);
    } else if (part.type === "image_url") {
      this.attachments.image(part);
    } else if (typeof part.text === "string") {
      this.text(part.text);
    }
  }

  private text(delta: string): void {
    if (delta === "") return;
    if (this.tags) this.tags.push(delta);
    else this.blocks.text(delta);
  }

  private thinking(delta: string, field?: (typeof reasoningFields)[number]): void {
    if (delta === "") return;
    this.tags?.disable();
    this.blocks.thinking(delta, field);
  }

  private beforeCall(): void {
    this.tags?.flush();
    this.blocks.close();
  }

  /** Made from what is the host's own, so that the same stream gives the same ids and another one gives others. */
  private makeCallId(ordinal: number): string {
    this.fallbackId ??= randomId();
    const response = this.builder.message.responseId ?? this.fallbackId;
    const seed = `${response}:${this.created}:${ordinal}`;
    const hash = shortHash(seed) + shortHash(`${ordinal}/${response}`);
    return this.compat.requiresShortToolCallIds ? hash.slice(0, 9) : `call_${hash}`;
  }

  private stopReason(finish: Finish): StopReason {
    if (finish === "length") return "length";
    if (this.calls.count > 0) return "toolUse";
    const isEmpty = this.builder.message.content.length === 0;
    if (finish === "toolUse" && isEmpty) {
      throw new ProviderError("The model announced a tool call, but the host sent none.");
    }
    if (finish === "unknown" && isEmpty) {
      throw new ProviderError(
        `The host ended an empty answer with the finish reason ${this.builder.message.rawStopReason}.`,
      );
    }
    return "stop";
  }

  private addNotes(finish: Finish): void {
    const { message } = this.builder;
    if (finish === "unknown") {
      this.note("unknown-finish-reason", `Finish reason: ${message.rawStopReason}`);
    }
    if (this.refused) this.note("refusal", "The model refused.", { class: "content-filter" });
    if (this.calls.nameless > 0) {
      this.note("nameless-tool-call", "A tool call without a name was left out.");
    }
    const answered = message.content.some((block) => block.type !== "thinking");
    if (finish === "length" && !answered && (message.usage.reasoning ?? 0) > 0) {
      this.note(
        "thinking-used-limit",
        "Thinking used up the whole limit of the answer; a higher limit or a lower thinking level leaves room for text.",
      );
    }
  }

  private note(type: string, text: string, details?: Diagnostic["details"]): void {
    const { message } = this.builder;
    message.diagnostics = [
      ...(message.diagnostics ?? []),
      { type, timestamp: Date.now(), error: { message: text }, ...(details && { details }) },
    ];
  }
}

function firstChoice(chunk: Loose): Loose | undefined {
  if (!Array.isArray(chunk.choices)) return undefined;
  for (const choice of chunk.choices as unknown[]) {
    if (isRecord(choice) && (choice.index ?? 0) === 0) return choice;
  }
  return undefined;
}

function textOfParts(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value
    .map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}
