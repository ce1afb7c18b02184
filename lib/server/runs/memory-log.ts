import type { RunEvent } from "@/lib/run/events";
import { encodeRunEvent } from "@/lib/run/sse";
import type { CommandOutcome } from "./command";
import type { RunLog, RunLogEngine } from "./log";

/** Longest piece that a reader gets at once, in characters. */
const pieceChars = 64 * 1024;
/** Characters of all logs; above it the oldest finished ones are forgotten. */
const defaultMaxChars = 256 * 1024 * 1024;
/** Ids of runs that are gone, so that a late repetition of a request does not start one again. */
const rememberedIds = 50_000;

/** Readers hold a place in one shared list of encoded events, so each event is encoded once however many read it. */
class MemoryRunLog implements RunLog {
  private readonly frames: string[] = [];
  private readonly waiting = new Set<() => void>();
  private wakeScheduled = false;
  ended = false;
  size = 0;

  constructor(private readonly onGrowth: (chars: number) => void) {}

  get lastSeq(): number {
    return this.frames.length;
  }

  append(event: RunEvent): void {
    if (this.ended) return;
    if (event.seq !== this.lastSeq + 1) {
      throw new Error(`Event ${event.seq} does not follow event ${this.lastSeq}.`);
    }
    const frame = encodeRunEvent(event);
    this.frames.push(frame);
    this.size += frame.length;
    if (event.type === "agent_end") this.ended = true;
    this.onGrowth(frame.length);
    this.scheduleWake();
  }

  async *read(after: number, signal: AbortSignal): AsyncGenerator<string> {
    let place = Math.max(0, after);
    while (!signal.aborted) {
      if (place < this.frames.length) {
        let piece = "";
        while (place < this.frames.length && piece.length < pieceChars) {
          piece += this.frames[place++];
        }
        yield piece;
      } else if (this.ended) {
        return;
      } else {
        await this.change(signal);
      }
    }
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener("abort", wake);
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }

  // Once per turn of the event loop: all events of one network chunk reach a reader as one piece.
  private scheduleWake(): void {
    if (this.wakeScheduled) return;
    this.wakeScheduled = true;
    setImmediate(() => {
      this.wakeScheduled = false;
      for (const wake of [...this.waiting]) wake();
    });
  }
}

/** Logs in this process's memory. */
export class MemoryRunLogEngine implements RunLogEngine {
  private readonly logs = new Map<string, MemoryRunLog>();
  private readonly forgotten = new Set<string>();
  private size = 0;

  constructor(private readonly maxChars = defaultMaxChars) {}

  create(runId: string): RunLog | undefined {
    if (this.logs.has(runId) || this.forgotten.has(runId)) return undefined;
    const log = new MemoryRunLog((chars) => {
      this.size += chars;
      if (this.size > this.maxChars) this.forgetFinished();
    });
    this.logs.set(runId, log);
    return log;
  }

  open(runId: string): RunLog | undefined {
    return this.logs.get(runId);
  }

  expire(runId: string, keepMs: number): void {
    setTimeout(() => this.remove(runId), keepMs).unref();
  }

  serve(): void {}

  /** All runs are this process's, so one that it does not run is over. */
  send(runId: string): CommandOutcome | undefined {
    return this.logs.has(runId) ? "ended" : undefined;
  }

  idleMs(): number {
    return Number.POSITIVE_INFINITY;
  }

  close(): void {}

  /** Forgets a log at once; its id stays taken. */
  remove(runId: string): void {
    this.size -= this.logs.get(runId)?.size ?? 0;
    if (this.logs.delete(runId)) this.forgotten.add(runId);
    if (this.forgotten.size > rememberedIds) {
      for (const oldest of this.forgotten) {
        this.forgotten.delete(oldest);
        break;
      }
    }
  }

  private forgetFinished(): void {
    for (const [runId, log] of this.logs) {
      if (this.size <= this.maxChars) return;
      if (log.ended) this.remove(runId);
    }
  }
}
