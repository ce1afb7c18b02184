import { type Loose, textOf } from "./loose.ts";

/** One item of a response's output while it streams. */
export abstract class OutputItem {
  /** The newest form of the item that the vendor sent. */
  latest: Loose;
  /** Whether the vendor has sent the finished item. */
  finished = false;
  /** Whether its block has ended; nothing is told of it after that. */
  closed = false;

  constructor(
    item: Loose,
    readonly outputIndex: number | undefined,
  ) {
    this.latest = item;
  }

  get type(): string {
    return textOf(this.latest.type) ?? "";
  }

  get id(): string | undefined {
    return textOf(this.latest.id);
  }

  /** Takes the finished item: what it says replaces what was streamed. */
  finish(item: Loose): void {
    if (this.closed) return;
    this.latest = { ...item, type: this.type };
    this.finished = true;
    this.close();
    this.closed = true;
  }

  /** Ends the block with what was streamed, since the vendor never sent the finished item. */
  abandon(): void {
    if (this.closed) return;
    this.close();
    this.closed = true;
  }

  protected abstract close(): void;
}

/** The texts of one item's parts: what came as deltas, and what is still to be told when a part is repeated whole. */
export class StreamedParts {
  private readonly parts = new Map<string, string>();

  get size(): number {
    return this.parts.size;
  }

  has(part: string): boolean {
    return this.parts.has(part);
  }

  get(part: string): string | undefined {
    return this.parts.get(part);
  }

  add(part: string, delta: string): void {
    this.parts.set(part, (this.parts.get(part) ?? "") + delta);
  }

  /** What a whole text holds beyond the deltas; empty when it does not extend them. */
  rest(part: string, whole: string): string {
    const streamed = this.parts.get(part) ?? "";
    return whole.startsWith(streamed) ? whole.slice(streamed.length) : "";
  }
}
