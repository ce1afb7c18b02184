import type { Decoder } from "../../adapter.ts";
import { ProviderError } from "../../errors.ts";
import type { MessageBuilder } from "../../message-builder.ts";
import type { ToolNames } from "../../tool-names.ts";
import type { Model } from "../../types.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";
import { PartReader } from "./parts.ts";
import { GroundingCollector } from "./sources.ts";
import { applyFinishReason, blockedPrompt, streamError } from "./stop-reason.ts";
import { UsageCounter } from "./usage.ts";

/** Reads the chunks of one answer. Fields that it does not know are passed over; of several candidates the first counts. */
export class GoogleDecoder implements Decoder {
  /** The vendor may send more behind a finish reason, so that only the end of the body is the end. */
  readonly complete = false;
  private readonly parts: PartReader;
  private readonly usage: UsageCounter;
  private readonly grounding = new GroundingCollector();
  /** As the chunk before said it; every chunk does. */
  private modelVersion: unknown;
  private finishReason = "";
  private finishMessage = "";
  private blocked: ProviderError | undefined;

  constructor(
    private readonly builder: MessageBuilder,
    private readonly model: Model,
    names: ToolNames,
  ) {
    this.parts = new PartReader(builder, names);
    this.usage = new UsageCounter(model);
  }

  get finishable(): boolean {
    return this.finishReason !== "";
  }

  event(event: unknown): void {
    // Some proxies hand on the list form of a stream.
    if (Array.isArray(event)) for (const inner of event) this.event(inner);
    if (!isRecord(event)) return;
    if (event.error !== undefined && event.error !== null) throw streamError(event.error);
    const { message } = this.builder;
    if (text(event.responseId)) message.responseId = text(event.responseId);
    if (event.modelVersion !== this.modelVersion) this.answeredBy(event.modelVersion);
    const usage = this.usage.add(event.usageMetadata);
    if (usage) message.usage = usage;
    this.blocked = blockedPrompt(event.promptFeedback) ?? this.blocked;
    if (!Array.isArray(event.candidates)) return;
    for (const candidate of event.candidates as unknown[]) {
      if (isRecord(candidate) && !candidate.index) this.candidate(candidate);
    }
  }

  finish(): void {
    const { message } = this.builder;
    this.grounding.apply(message);
    if (this.parts.collected.hasOwnKinds) {
      message.native = { api: "google-generative-ai", items: this.parts.collected.parts };
    }
    if (!this.finishReason) {
      throw (
        this.blocked ??
        new ProviderError(
          "The stream ended without a finish reason, so the answer is incomplete.",
          {
            errorClass: "ended-early",
          },
        )
      );
    }
    // An answer that the vendor cut off for a reason of its own keeps its open blocks open (P-405).
    if (isOrderly(this.finishReason)) this.parts.closeAll();
    applyFinishReason(message, this.finishReason, this.finishMessage);
  }

  private answeredBy(version: unknown): void {
    this.modelVersion = version;
    const answered = text(version).replace(/^models\//, "");
    if (answered && answered !== this.model.id.replace(/^models\//, "")) {
      this.builder.message.responseModel = answered;
    }
  }

  private candidate(candidate: Loose): void {
    const content = isRecord(candidate.content) ? candidate.content : {};
    if (Array.isArray(content.parts)) {
      for (const part of content.parts) if (isRecord(part)) this.parts.read(part);
    }
    this.grounding.add(candidate);
    const reason = text(candidate.finishReason);
    if (reason && reason !== "FINISH_REASON_UNSPECIFIED") {
      this.finishReason = reason;
      this.finishMessage = text(candidate.finishMessage);
      this.builder.message.rawStopReason = reason;
    }
  }
}

function isOrderly(reason: string): boolean {
  return reason === "STOP" || reason === "MAX_TOKENS" || reason === "CONTINUATION";
}
