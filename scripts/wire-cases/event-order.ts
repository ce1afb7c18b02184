import { isDeepStrictEqual } from "node:util";
import type {
  AssistantContent,
  AssistantMessage,
  AssistantMessageEvent,
  ToolCall,
} from "@/lib/ai/types";

type BlockType = "text" | "thinking" | "toolcall";

interface Block {
  type: BlockType;
  text: string;
  ended: boolean;
}

const contentTypes = { text: "text", thinking: "thinking", toolcall: "toolCall" } as const;

/**
 * Watches the events of one response as they are read, and collects what goes against the rules of their order. `partial` is
 * live and the reader may lag behind, so what it holds at a time is no matter of order.
 */
export class OrderChecker {
  readonly violations: string[] = [];
  private partial: AssistantMessage | undefined;
  private ended = false;
  private readonly blocks = new Map<number, Block>();

  see(event: AssistantMessageEvent): void {
    this.expect(!this.ended, `P-082: ${event.type} comes after the end`);
    if (event.type === "done" || event.type === "error") {
      this.seeEnd(event);
      return;
    }
    if (event.type === "start") {
      this.expect(this.partial === undefined, "P-081: a second start");
      this.partial = event.partial;
      return;
    }
    this.expect(this.partial !== undefined, `P-081: ${event.type} comes before start`);
    this.partial ??= event.partial;
    this.expect(event.partial === this.partial, `P-086: ${event.type} carries another partial`);
    const [type, stage] = event.type.split("_") as [BlockType, "start" | "delta" | "end"];
    const index = event.contentIndex;
    const content = event.partial.content[index];
    this.expect(
      content?.type === contentTypes[type],
      `P-092: ${event.type} points at ${index}, where there is ${content?.type ?? "nothing"}`,
    );
    if (stage === "start") this.open(type, index);
    else this.goOn(event, type, index);
  }

  private open(type: BlockType, index: number): void {
    this.expect(!this.blocks.has(index), `P-092: block ${index} starts a second time`);
    this.blocks.set(index, { type, text: "", ended: false });
  }

  private goOn(event: AssistantMessageEvent, type: BlockType, index: number): void {
    const block = this.blocks.get(index);
    if (!block || block.type !== type || block.ended) {
      this.violations.push(`P-094: ${event.type} of block ${index}, which is not open`);
      return;
    }
    if ("delta" in event) {
      block.text += event.delta;
      return;
    }
    block.ended = true;
    if ("content" in event) {
      // The Responses API sends the whole text again, and that one counts where the two differ.
      this.expect(
        block.text === event.content || this.partial?.api === "openai-responses",
        `P-088: block ${index} ends with other text than its deltas gave`,
      );
      block.text = event.content;
    }
    if (event.type === "toolcall_end") {
      this.expect(
        event.toolCall === event.partial.content[index],
        `P-084: toolcall_end of block ${index} carries another call`,
      );
      this.expect(
        event.toolCall.argumentsError !== undefined || saysTheSame(block.text, event.toolCall),
        `P-090: the deltas of call ${index} do not say its arguments`,
      );
    }
  }

  private seeEnd(event: Extract<AssistantMessageEvent, { type: "done" | "error" }>): void {
    this.ended = true;
    const message = event.type === "done" ? event.message : event.error;
    this.expect(event.reason === message.stopReason, "P-085: reason and stopReason differ");
    if (event.type === "done") {
      this.expect(this.partial !== undefined, "P-081: done comes without a start");
      for (const [index, block] of this.blocks) {
        this.expect(block.ended, `P-094: block ${index} has no end`);
      }
      this.expect(
        message.content.length === this.blocks.size,
        `P-092: ${message.content.length} blocks at the end, and ${this.blocks.size} were started`,
      );
    }
    for (const [index, block] of this.blocks) {
      const content = message.content[index];
      const kept = block.type === "toolcall" || liveText(content).startsWith(block.text);
      this.expect(kept, `P-096: the message lost text of block ${index}`);
    }
  }

  /** To be called when the events are over. */
  finish(): string[] {
    this.expect(this.ended, "P-082: no last event");
    return this.violations;
  }

  private expect(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation);
  }
}

/** Whether the JSON text is the call's arguments; no text at all stands for none. */
function saysTheSame(text: string, call: ToolCall): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text || "{}"), call.arguments);
  } catch {
    return false;
  }
}

function liveText(content: AssistantContent | undefined): string {
  if (content?.type === "text") return content.text;
  return content?.type === "thinking" ? content.thinking : "";
}
