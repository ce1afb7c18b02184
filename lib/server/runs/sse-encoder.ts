import { constants, createGzip } from "node:zlib";

/** SSE text as it goes over the wire, a piece at a time; what went in comes out whole, with nothing held back. */
export interface SseEncoder {
  /** Value of `content-encoding`, unless the text goes as it is. */
  readonly contentEncoding?: "gzip";
  encode(text: string): Uint8Array | Promise<Uint8Array>;
  /** What closes the stream; may be empty. */
  end(): Uint8Array | Promise<Uint8Array>;
  /** Lets go of what it holds. It is not used after that. */
  close(): void;
}

/** @param accepted the request's `accept-encoding` */
export function sseEncoder(accepted: string | null): SseEncoder {
  return acceptsGzip(accepted) ? new GzipEncoder() : new PlainEncoder();
}

class PlainEncoder implements SseEncoder {
  private readonly encoder = new TextEncoder();

  encode(text: string): Uint8Array {
    return this.encoder.encode(text);
  }

  end(): Uint8Array {
    return new Uint8Array();
  }

  close(): void {}
}

/**
 * One event differs from the one before by a number, a time and a few letters, so a stream of them shrinks to about a
 * sixth. Every piece is flushed, which costs five bytes and no time.
 */
class GzipEncoder implements SseEncoder {
  readonly contentEncoding = "gzip";
  // 64 KiB a reader instead of 256, and no larger on the wire: what repeats is near.
  private readonly gzip = createGzip({
    windowBits: 13,
    memLevel: 6,
    flush: constants.Z_SYNC_FLUSH,
  });

  constructor() {
    // A reader that left in the middle of a piece; there is nobody to tell.
    this.gzip.on("error", () => {});
  }

  encode(text: string): Promise<Uint8Array> {
    return new Promise((resolve) => this.gzip.write(text, () => resolve(this.ready())));
  }

  end(): Promise<Uint8Array> {
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      this.gzip.on("data", (part: Buffer) => parts.push(part));
      this.gzip.once("close", () => resolve(Buffer.concat(parts)));
      this.gzip.end();
    });
  }

  close(): void {
    this.gzip.destroy();
  }

  private ready(): Uint8Array {
    const parts: Buffer[] = [];
    for (;;) {
      const part = this.gzip.destroyed ? null : (this.gzip.read() as Buffer | null);
      if (part === null) return Buffer.concat(parts);
      parts.push(part);
    }
  }
}

function acceptsGzip(accepted: string | null): boolean {
  return (accepted ?? "").split(",").some((entry) => {
    const [name, ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    return name === "gzip" && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}
