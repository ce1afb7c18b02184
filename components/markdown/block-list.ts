import { splitBlocks } from "./block-splitter";

export interface Blocks {
  /** Finished pieces; the array is the same one until another piece is finished. */
  closed: readonly string[];
  tail: string;
}

/** Remembers where the open tail of a growing text begins, so that each update looks at the tail only. */
export class BlockList {
  private source = "";
  private closed: readonly string[] = [];
  private tailStart = 0;

  /** The pieces of `source`. Text that does not continue the last one is split afresh. */
  update(source: string): Blocks {
    if (source !== this.source) {
      if (!source.startsWith(this.source)) {
        this.closed = [];
        this.tailStart = 0;
      }
      this.source = source;
      const { closed, tailStart } = splitBlocks(source, this.tailStart);
      if (closed.length > 0) this.closed = [...this.closed, ...closed];
      this.tailStart = tailStart;
    }
    return { closed: this.closed, tail: source.slice(this.tailStart) };
  }
}
