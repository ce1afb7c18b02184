import type { MessageBuilder } from "../../message-builder.ts";
import { shortHash } from "../../text.ts";
import type { ToolNames } from "../../tool-names.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";
import { imagePart, PartCollector } from "./native.ts";
import { PartialArguments } from "./partial-args.ts";

interface OpenText {
  kind: "text" | "thinking";
  contentIndex: number;
}

interface OpenCall {
  contentIndex: number;
  id: string;
  args: PartialArguments;
  /** The first part of it, as it came. */
  part: Loose;
}

/** Reads the vendor's parts into our blocks, and keeps the parts themselves. */
export class PartReader {
  readonly collected = new PartCollector();
  private openText: OpenText | undefined;
  private openCall: OpenCall | undefined;
  private readonly callIds = new Set<string>();

  constructor(
    private readonly builder: MessageBuilder,
    private readonly names: ToolNames,
  ) {}

  read(part: Loose): void {
    if (isRecord(part.functionCall)) {
      this.closeText();
      this.readCall(part, part.functionCall);
    } else if (typeof part.text === "string") {
      this.readText(part, part.text);
    } else {
      this.closeText();
      this.readOther(part);
    }
  }

  /** Ends what is open when the vendor ended its answer in order. */
  closeAll(): void {
    this.closeText();
    this.closeCall();
  }

  private readText(part: Loose, delta: string): void {
    const kind = part.thought === true ? "thinking" : "text";
    const signature = text(part.thoughtSignature);
    if (!delta && !signature) return;
    this.collected.add(part);
    if (this.openText?.kind !== kind) {
      this.closeText();
      const contentIndex = kind === "text" ? this.builder.openText() : this.builder.openThinking();
      this.openText = { kind, contentIndex };
    }
    const { contentIndex } = this.openText;
    if (kind === "text") {
      this.builder.text(contentIndex, delta);
      if (signature) this.builder.textAt(contentIndex).textSignature = signature;
    } else {
      this.builder.thinking(contentIndex, delta);
      if (signature) this.builder.thinkingAt(contentIndex).thinkingSignature = signature;
    }
  }

  private closeText(): void {
    if (!this.openText) return;
    const { kind, contentIndex } = this.openText;
    this.openText = undefined;
    if (kind === "text") this.builder.closeText(contentIndex);
    else this.builder.closeThinking(contentIndex);
  }

  /** A call comes whole, or in pieces of which only the first one has the name. */
  private readCall(part: Loose, call: Loose): void {
    const name = text(call.name);
    const sameCall = !name || (text(call.id) !== "" && text(call.id) === this.openCall?.id);
    if (!this.openCall || !sameCall) {
      this.closeCall();
      if (!name) return;
      this.openCall = this.beginCall(part, call, name);
    }
    const open = this.openCall;
    const signature = text(part.thoughtSignature);
    if (signature) this.builder.toolCallAt(open.contentIndex).thoughtSignature = signature;
    this.builder.toolCall(open.contentIndex, open.args.add(call.partialArgs));
    if (call.willContinue !== true) this.closeCall(isRecord(call.args) ? call.args : undefined);
  }

  private beginCall(part: Loose, call: Loose, name: string): OpenCall {
    const given = text(call.id);
    const id = given && !this.callIds.has(given) ? given : this.makeId(name);
    this.callIds.add(id);
    const contentIndex = this.builder.openToolCall({ id, name: this.names.fromVendor(name) });
    return { contentIndex, id, args: new PartialArguments(), part };
  }

  /** @param args the whole arguments, where the vendor gives them at once */
  private closeCall(args?: Loose): void {
    const open = this.openCall;
    if (!open) return;
    this.openCall = undefined;
    const { contentIndex } = open;
    if (args) {
      this.builder.closeToolCall(contentIndex, JSON.stringify(args));
    } else {
      this.builder.toolCall(contentIndex, open.args.close());
      this.builder.closeToolCall(contentIndex, open.args.whole);
    }
    const call = this.builder.toolCallAt(contentIndex);
    const sent = isRecord(open.part.functionCall) ? open.part.functionCall : {};
    this.collected.add({
      functionCall: {
        name: sent.name,
        args: call.arguments,
        ...(text(sent.id) && { id: call.id }),
      },
      ...(call.thoughtSignature && { thoughtSignature: call.thoughtSignature }),
    });
  }

  /** Images are the message's own; server-side tools and all that is new to us are kept as they came. */
  private readOther(part: Loose): void {
    const { images = [] } = this.builder.message;
    const data = isRecord(part.inlineData) ? part.inlineData : {};
    const mimeType = text(data.mimeType);
    if (mimeType.startsWith("image/") && text(data.data) && part.thought !== true) {
      this.collected.add(imagePart(part, images.length));
      this.builder.message.images = [...images, { type: "image", data: text(data.data), mimeType }];
    } else if (Object.keys(part).length > 0) {
      this.collected.add(part);
    }
  }

  private makeId(name: string): string {
    const { message } = this.builder;
    const count = this.callIds.size + 1;
    return `call_${shortHash(`${message.responseId ?? message.timestamp} ${name} ${count}`)}_${count}`;
  }
}
