import type { AssistantMessageEventStream } from "./event-stream.ts";
import { parseArguments, StreamedJson } from "./streamed-json.ts";
import type { AssistantMessage, TextContent, ThinkingContent, ToolCall } from "./types.ts";

/** What a block's end may set over what was streamed. */
export interface TextEnd {
  text?: string;
  textSignature?: string;
}
export interface ThinkingEnd {
  thinking?: string;
  thinkingSignature?: string;
  redacted?: boolean;
}

/**
 * Builds one assistant message and tells each step as an event, in the order that the protocol asks for: the block is in
 * `content` before its start is told, indices never change, nothing is told of a block after its end. Work per delta does
 * not grow with the message.
 */
export class MessageBuilder {
  private readonly open = new Map<number, StreamedJson | undefined>();

  constructor(
    readonly message: AssistantMessage,
    private readonly stream: AssistantMessageEventStream,
  ) {}

  start(): void {
    this.stream.push({ type: "start", partial: this.message });
  }

  isOpen(contentIndex: number): boolean {
    return this.open.has(contentIndex);
  }

  openText(initial: Partial<TextContent> = {}): number {
    const contentIndex = this.message.content.push({ type: "text", text: "", ...initial }) - 1;
    this.open.set(contentIndex, undefined);
    this.stream.push({ type: "text_start", contentIndex, partial: this.message });
    return contentIndex;
  }

  /** An empty delta is not told. */
  text(contentIndex: number, delta: string): void {
    if (!delta) return;
    this.textAt(contentIndex).text += delta;
    this.stream.push({ type: "text_delta", contentIndex, delta, partial: this.message });
  }

  closeText(contentIndex: number, end: TextEnd = {}): void {
    if (!this.open.delete(contentIndex)) return;
    const block = this.textAt(contentIndex);
    if (end.text !== undefined) block.text = end.text;
    if (end.textSignature !== undefined) block.textSignature = end.textSignature;
    this.stream.push({
      type: "text_end",
      contentIndex,
      content: block.text,
      partial: this.message,
    });
  }

  openThinking(initial: Partial<ThinkingContent> = {}): number {
    const contentIndex =
      this.message.content.push({ type: "thinking", thinking: "", ...initial }) - 1;
    this.open.set(contentIndex, undefined);
    this.stream.push({ type: "thinking_start", contentIndex, partial: this.message });
    return contentIndex;
  }

  /** An empty delta is not told. */
  thinking(contentIndex: number, delta: string): void {
    if (!delta) return;
    this.thinkingAt(contentIndex).thinking += delta;
    this.stream.push({ type: "thinking_delta", contentIndex, delta, partial: this.message });
  }

  closeThinking(contentIndex: number, end: ThinkingEnd = {}): void {
    if (!this.open.delete(contentIndex)) return;
    const block = this.thinkingAt(contentIndex);
    if (end.thinking !== undefined) block.thinking = end.thinking;
    if (end.thinkingSignature !== undefined) block.thinkingSignature = end.thinkingSignature;
    if (end.redacted) block.redacted = true;
    this.stream.push({
      type: "thinking_end",
      contentIndex,
      content: block.thinking,
      partial: this.message,
    });
  }

  openToolCall(call: Omit<ToolCall, "type" | "arguments">): number {
    const json = new StreamedJson();
    const contentIndex =
      this.message.content.push({ type: "toolCall", ...call, arguments: json.value }) - 1;
    this.open.set(contentIndex, json);
    this.stream.push({ type: "toolcall_start", contentIndex, partial: this.message });
    return contentIndex;
  }

  /** `delta` is text of the arguments' JSON. An empty delta is not told. */
  toolCall(contentIndex: number, delta: string): void {
    if (!delta) return;
    this.open.get(contentIndex)?.append(delta);
    this.stream.push({ type: "toolcall_delta", contentIndex, delta, partial: this.message });
  }

  /** The argument text that was streamed for an open call. */
  argumentText(contentIndex: number): string {
    return this.open.get(contentIndex)?.text ?? "";
  }

  /**
   * Ends a call with exact arguments.
   * @param whole the whole argument text when the vendor repeats it: the rest is told as a delta if it extends what was
   *   streamed, otherwise it replaces it (P-334)
   */
  closeToolCall(contentIndex: number, whole?: string): void {
    const json = this.open.get(contentIndex);
    if (!json) return;
    if (whole !== undefined && whole !== json.text && whole.startsWith(json.text)) {
      this.toolCall(contentIndex, whole.slice(json.text.length));
    }
    this.open.delete(contentIndex);
    const block = this.toolCallAt(contentIndex);
    const complete = parseArguments(whole ?? json.text);
    block.arguments = complete.arguments;
    if (complete.argumentsError !== undefined) block.argumentsError = complete.argumentsError;
    this.stream.push({
      type: "toolcall_end",
      contentIndex,
      toolCall: block,
      partial: this.message,
    });
  }

  /** Ends every block that is still open, in order. Not for failures: those leave blocks open (P-405). */
  closeAll(): void {
    for (const contentIndex of [...this.open.keys()].sort((a, b) => a - b)) {
      const block = this.message.content[contentIndex];
      if (block?.type === "text") this.closeText(contentIndex);
      else if (block?.type === "thinking") this.closeThinking(contentIndex);
      else this.closeToolCall(contentIndex);
    }
  }

  textAt(contentIndex: number): TextContent {
    return this.message.content[contentIndex] as TextContent;
  }
  thinkingAt(contentIndex: number): ThinkingContent {
    return this.message.content[contentIndex] as ThinkingContent;
  }
  toolCallAt(contentIndex: number): ToolCall {
    return this.message.content[contentIndex] as ToolCall;
  }

  get hasToolCall(): boolean {
    return this.message.content.some((block) => block.type === "toolCall");
  }
}
