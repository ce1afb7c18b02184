import type { RunEvent } from "@/lib/run/events";

/**
 * The log of one run. One writer, any number of readers from any number. An engine may keep it in this process or where
 * other instances can read it; a method that needs no waiting in one may need it in the other.
 */
export interface RunLog {
  /** The number of the last event; 0 when there is none. */
  readonly lastSeq: number;
  /** Whether `agent_end` was written. */
  readonly ended: boolean;
  /** Characters that the log holds. */
  readonly size: number;
  /** Takes the next event, `lastSeq + 1`. What comes after the end is ignored. */
  append(event: RunEvent): void | Promise<void>;
  /**
   * SSE text of the events after a number, in order and without gaps; what is ready goes out as one piece. Waits for more
   * until the log has ended or the signal aborts. A reader that is slow costs nothing but its place.
   */
  read(after: number, signal: AbortSignal): AsyncIterable<string>;
}

/** Keeps logs by run id. */
export interface RunLogEngine {
  /** A new log, or undefined when this id has or had one: an id never starts twice. */
  create(runId: string): RunLog | undefined | Promise<RunLog | undefined>;
  open(runId: string): RunLog | undefined | Promise<RunLog | undefined>;
  remove(runId: string): void | Promise<void>;
}
