/** Where a body is cut into network chunks: every N bytes, at random places of 1 to 64 bytes, or at these byte offsets. */
export type Split = number | { seed: number } | { cuts: readonly number[] };

const longestRandomPiece = 64;

/** Cuts the parts of one body; offsets run on from part to part. */
export class Splitter {
  private offset = 0;
  private readonly random: () => number;

  constructor(private readonly split: Split | undefined) {
    this.random = randomFrom(typeof split === "object" && "seed" in split ? split.seed : 0);
  }

  pieces(bytes: Uint8Array): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let start = 0;
    while (start < bytes.length) {
      const end = Math.min(bytes.length, start + this.nextLength(this.offset + start));
      pieces.push(bytes.subarray(start, end));
      start = end;
    }
    this.offset += bytes.length;
    return pieces;
  }

  private nextLength(offset: number): number {
    if (this.split === undefined) return Number.POSITIVE_INFINITY;
    if (typeof this.split === "number") return this.split - (offset % this.split);
    if ("seed" in this.split) return 1 + Math.floor(this.random() * longestRandomPiece);
    const next = this.split.cuts.filter((cut) => cut > offset);
    return Math.min(...next) - offset;
  }
}

/** Mulberry32: the same seed gives the same numbers, from 0 to 1, on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
