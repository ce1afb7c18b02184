import type { RunEvent } from "@/lib/run/events";
import { encodeRunEvent } from "@/lib/run/sse";
import type { RunLog } from "../log";
import { runKeys } from "./keys";
import { type LogLook, type RedisLogSettings, readLog } from "./read-log";
import { appendScript } from "./scripts";

/** Characters that go to Redis at once, and that may wait before the writer is asked to wait too. */
const batchChars = 256 * 1024;
const batchEvents = 500;
const retryMs = 250;

/** The log of a run that another instance, or nobody, runs. */
export class RedisRunLog implements RunLog {
  readonly size = 0;

  constructor(
    private readonly settings: RedisLogSettings,
    private readonly runId: string,
    private readonly look: LogLook,
  ) {}

  /** As it was when the log was opened. */
  get lastSeq(): number {
    return this.look.last;
  }

  get ended(): boolean {
    return this.look.ended;
  }

  append(): never {
    throw new Error("Only the instance that runs a run writes its log.");
  }

  read(after: number, signal: AbortSignal): AsyncIterable<string> {
    return readLog(this.settings, this.runId, after, signal);
  }
}

/**
 * The log of a run of this instance. What is appended while Redis answers goes out together after that, in order; what may
 * have been lost is sent again, which does no harm.
 */
export class OwnedRedisRunLog implements RunLog {
  private readonly loss = new AbortController();
  private waiting: string[] = [];
  private waitingChars = 0;
  /** Number of the first event that waits. */
  private firstWaiting = 1;
  private sending: Promise<void> | undefined;
  private stopped = false;
  lastSeq = 0;
  ended = false;
  size = 0;

  constructor(
    private readonly settings: RedisLogSettings,
    private readonly owner: string,
    private readonly runId: string,
    /** How long the log is kept after each batch while the run is on, in ms. */
    private readonly runningKeepMs: number,
  ) {}

  get lost(): AbortSignal {
    return this.loss.signal;
  }

  /** Resolves when all that was appended is in Redis. */
  get settled(): Promise<void> {
    return this.sending ?? Promise.resolve();
  }

  append(event: RunEvent): void | Promise<void> {
    if (this.ended) return;
    if (event.seq !== this.lastSeq + 1) {
      throw new Error(`Event ${event.seq} does not follow event ${this.lastSeq}.`);
    }
    const frame = encodeRunEvent(event);
    this.lastSeq = event.seq;
    this.size += frame.length;
    this.waiting.push(frame);
    this.waitingChars += frame.length;
    if (event.type === "agent_end") this.ended = true;
    this.sending ??= this.send();
    if (this.ended || this.waitingChars > batchChars) return this.sending;
  }

  read(after: number, signal: AbortSignal): AsyncIterable<string> {
    return readLog(this.settings, this.runId, after, signal);
  }

  /** Another has ended the log. */
  lose(): void {
    this.ended = true;
    this.stop();
    this.loss.abort();
  }

  /** Sends nothing any more. */
  stop(): void {
    this.stopped = true;
    this.waiting = [];
    this.waitingChars = 0;
  }

  private async send(): Promise<void> {
    // All events of one network chunk go together.
    await new Promise((resolve) => setImmediate(resolve));
    let answeredAt = performance.now();
    while (this.waiting.length > 0) {
      const batch = this.nextBatch();
      const isOwned = await this.sendBatch(batch);
      if (this.stopped) break;
      if (isOwned !== undefined) answeredAt = performance.now();
      if (isOwned === undefined && performance.now() - answeredAt < this.runningKeepMs) {
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      } else if (!isOwned) {
        // Another's by now, or Redis has been away for so long that it will be.
        this.lose();
      } else {
        this.waiting.splice(0, batch.length);
        this.waitingChars -= batch.reduce((sum, frame) => sum + frame.length, 0);
        this.firstWaiting += batch.length;
      }
    }
    this.sending = undefined;
  }

  private nextBatch(): string[] {
    let chars = 0;
    const end = this.waiting.findIndex((frame, index) => {
      chars += frame.length;
      return index > 0 && (chars > batchChars || index >= batchEvents);
    });
    return end === -1 ? this.waiting.slice() : this.waiting.slice(0, end);
  }

  /** Whether the log is still this instance's; undefined when Redis did not say. */
  private async sendBatch(batch: string[]): Promise<boolean | undefined> {
    const { log, state, lease, wake } = runKeys(this.runId);
    const isEnd = this.ended && batch.length === this.waiting.length;
    const keepMs = isEnd ? this.settings.keepMs : this.runningKeepMs;
    const values = [this.owner, keepMs, wake, isEnd ? 1 : 0, this.firstWaiting, ...batch];
    try {
      const reply = await this.settings.connection.run(appendScript, [log, state, lease], values);
      return reply === 1;
    } catch {
      return undefined;
    }
  }
}
