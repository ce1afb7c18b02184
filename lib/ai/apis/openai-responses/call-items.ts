import type { MessageBuilder } from "../../message-builder.ts";
import { type Loose, stringOf, textOf } from "./loose.ts";
import { OutputItem } from "./output-item.ts";
import { joinCallId } from "./signatures.ts";

/** How the names and inputs of calls are read. */
export interface CallReader {
  toolName(vendorName: string): string;
  /** The parameter that a tool with free-form input takes it in. */
  inputParameter(vendorName: string): string;
  /** The arguments as the tool's own schema has them. */
  callArguments(toolName: string, given: Record<string, unknown>): Record<string, unknown>;
  /** An id for a call that the vendor gave none. */
  newCallId(): string;
}

/** A call that we have to run. */
export abstract class CallItem extends OutputItem {
  protected readonly contentIndex: number;

  constructor(
    item: Loose,
    outputIndex: number | undefined,
    protected readonly builder: MessageBuilder,
    protected readonly reader: CallReader,
  ) {
    super(item, outputIndex);
    const namespace = textOf(item.namespace);
    this.contentIndex = builder.openToolCall({
      id: joinCallId(this.callId ?? reader.newCallId(), this.id),
      name: reader.toolName(this.vendorName),
      ...(namespace && { namespace }),
    });
  }

  /** Whether the vendor has sent all of the call's input. */
  abstract readonly hasWholeInput: boolean;

  abstract delta(text: string): void;
  abstract whole(text: string): void;

  get name(): string {
    return this.builder.toolCallAt(this.contentIndex).name;
  }

  protected get callId(): string | undefined {
    return textOf(this.latest.call_id);
  }

  protected get vendorName(): string {
    return stringOf(this.latest.name) ?? "";
  }

  protected close(): void {
    const block = this.builder.toolCallAt(this.contentIndex);
    if (this.vendorName) block.name = this.reader.toolName(this.vendorName);
    const namespace = textOf(this.latest.namespace);
    if (namespace) block.namespace = namespace;
    this.builder.closeToolCall(this.contentIndex, this.finalText());
    block.arguments = this.reader.callArguments(block.name, block.arguments);
  }

  /** The whole argument text, or undefined when only what was streamed is known. */
  protected abstract finalText(): string | undefined;
}

export class FunctionCallItem extends CallItem {
  /** What the call was announced with: nothing, or from some hosts all of its arguments. */
  private readonly initial = argumentText(this.latest.arguments);
  private announced: string | undefined;

  get hasWholeInput(): boolean {
    return this.finished || this.announced !== undefined;
  }

  delta(text: string): void {
    if (!this.closed) this.builder.toolCall(this.contentIndex, text);
  }

  whole(text: string): void {
    if (this.closed) return;
    this.announced = text;
    const streamed = this.builder.argumentText(this.contentIndex);
    if (text.startsWith(streamed)) this.delta(text.slice(streamed.length));
  }

  protected finalText(): string | undefined {
    const final = this.finished ? argumentText(this.latest.arguments) : undefined;
    if (final !== undefined || this.announced !== undefined) return final ?? this.announced;
    return this.builder.argumentText(this.contentIndex) ? undefined : this.initial;
  }
}

/** Argument text; some hosts send an object instead. Empty text is what an item holds before its arguments come. */
export function argumentText(value: unknown): string | undefined {
  if (typeof value === "string") return value || undefined;
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

/** A call whose input is free text: it is told as the JSON of its one parameter. */
export class CustomCallItem extends CallItem {
  private opened = false;
  private streamed = "";
  private announced: string | undefined;

  get hasWholeInput(): boolean {
    return this.finished || this.announced !== undefined;
  }

  delta(text: string): void {
    if (this.closed || !text) return;
    this.streamed += text;
    const escaped = JSON.stringify(text).slice(1, -1);
    this.builder.toolCall(this.contentIndex, this.opened ? escaped : this.opening + escaped);
    this.opened = true;
  }

  whole(text: string): void {
    if (this.closed) return;
    this.announced = text;
    if (text.startsWith(this.streamed)) this.delta(text.slice(this.streamed.length));
  }

  protected finalText(): string {
    const input = stringOf(this.latest.input) || this.announced || this.streamed;
    return JSON.stringify({ [this.parameter]: input });
  }

  private get parameter(): string {
    return this.reader.inputParameter(this.vendorName);
  }

  private get opening(): string {
    return `{${JSON.stringify(this.parameter)}:"`;
  }
}
