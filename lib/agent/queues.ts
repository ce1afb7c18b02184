import type { AgentMessage } from "./types.ts";

/** How much one drain takes: the oldest message, or all of them. */
export type QueueMode = "one-at-a-time" | "all";

/** Messages that a person sent while a run was going on (L-090 to L-093). */
export class MessageQueue {
  private messages: AgentMessage[] = [];

  constructor(public mode: QueueMode = "one-at-a-time") {}

  get size(): number {
    return this.messages.length;
  }

  enqueue(message: AgentMessage): void {
    this.messages.push(message);
  }

  /** What the next drain gives, left in place. */
  peek(): AgentMessage[] {
    return this.mode === "all" ? [...this.messages] : this.messages.slice(0, 1);
  }

  drain(): AgentMessage[] {
    const taken = this.peek();
    this.messages = this.messages.slice(taken.length);
    return taken;
  }

  /** Everything that waits, left in place. */
  all(): AgentMessage[] {
    return [...this.messages];
  }

  clear(): void {
    this.messages = [];
  }
}
