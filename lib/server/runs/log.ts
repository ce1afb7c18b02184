import type { RunEvent } from "@/lib/run/events";
import type { CommandHandler, CommandOutcome, RunCommand } from "./command";

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
  /** Aborts when the log was ended by another process, which took this one for dead: the run has no log any more. */
  readonly lost?: AbortSignal;
  /**
   * Takes the next event, `lastSeq + 1`. What comes after the end is ignored. Never rejects; a promise means that the
   * writer should wait, at the end until the log is safe.
   */
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
  /** The run is over: its log can be read for so long yet, in ms. */
  expire(runId: string, keepMs: number): void | Promise<void>;
  /** Who tells the runs of this process what other instances send them. */
  serve(handler: CommandHandler): void;
  /**
   * Tells a run that is on in another process. Undefined when the run is not known (any more).
   * @throws HttpError 503 when that process cannot be reached
   */
  send(
    runId: string,
    command: RunCommand,
  ): CommandOutcome | undefined | Promise<CommandOutcome | undefined>;
  /** Ms since a reader was there, on whichever instance; Infinity where nobody but this process knows of readers. */
  idleMs(runId: string): number | Promise<number>;
  /** Lets go of connections and timers. Runs that are on are left to their fate. */
  close(): void | Promise<void>;
}
