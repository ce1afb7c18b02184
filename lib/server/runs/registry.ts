import { ActiveRun } from "./active-run";
import type { CommandOutcome, RunCommand } from "./command";
import type { RunLog, RunLogEngine } from "./log";
import { RunWriter } from "./run-writer";

export interface RunRegistryOptions {
  engine: RunLogEngine;
  /** How long a finished run can be read, in ms. */
  keepMs: number;
  /** How long a run goes on when nobody reads it, in ms. */
  orphanMs: number;
}

/** Does the work of a run. Must not reject; whatever it leaves open, the registry closes. */
export type RunWork = (run: ActiveRun) => Promise<void>;

interface Hosted {
  run: ActiveRun;
  log: RunLog;
  readers: number;
  orphanTimer?: ReturnType<typeof setTimeout>;
}

/**
 * The runs of this process. A run belongs to nobody's connection: readers come and go, and it ends by itself, by a person's
 * word, or when no one has read it for a long time.
 */
export class RunRegistry {
  private readonly hosted = new Map<string, Hosted>();

  constructor(private readonly options: RunRegistryOptions) {
    options.engine.serve((runId, command) => this.hosted.get(runId)?.run.apply(command));
  }

  async has(runId: string): Promise<boolean> {
    return (await this.options.engine.open(runId)) !== undefined;
  }

  /**
   * Starts a run, or does nothing when this id has been started already.
   * @param secrets keys that must not be in its log
   */
  async start(runId: string, secrets: readonly string[], work: RunWork): Promise<boolean> {
    const log = await this.options.engine.create(runId);
    if (!log) return false;
    const run = new ActiveRun(runId);
    run.writer = new RunWriter(log, secrets, () => run.abort());
    log.lost?.addEventListener("abort", () => run.abort(), { once: true });
    const hosted: Hosted = { run, log, readers: 0 };
    this.hosted.set(runId, hosted);
    this.watchForReaders(hosted);
    void this.host(hosted, work);
    return true;
  }

  /** The run's log after a number as SSE text, or undefined when the run is not known (any more). */
  async read(
    runId: string,
    after: number,
    signal: AbortSignal,
  ): Promise<AsyncIterable<string> | undefined> {
    const log = await this.options.engine.open(runId);
    return log && this.counted(runId, log.read(after, signal));
  }

  /** @returns undefined when the run is not known (any more) */
  async command(runId: string, command: RunCommand): Promise<CommandOutcome | undefined> {
    const hosted = this.hosted.get(runId);
    if (hosted) return hosted.run.apply(command);
    return this.options.engine.send(runId, command);
  }

  /** Ends all runs at once and says that they were cut: the server is about to stop. Resolves when their logs are safe. */
  async interruptAll(): Promise<void> {
    const ends = [...this.hosted.values()].map(({ run }) => {
      const written = run.writer.append({ type: "agent_end", messages: [], interrupted: true });
      run.abort();
      return written;
    });
    await Promise.all(ends);
  }

  private async host(hosted: Hosted, work: RunWork): Promise<void> {
    const { run } = hosted;
    try {
      await work(run);
    } catch (error) {
      console.error(`A run failed: ${error instanceof Error ? error.name : typeof error}`);
    }
    if (!run.writer.ended)
      await run.writer.append({ type: "agent_end", messages: [], interrupted: true });
    clearTimeout(hosted.orphanTimer);
    this.hosted.delete(run.runId);
    await this.options.engine.expire(run.runId, this.options.keepMs);
  }

  private async *counted(runId: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
    const hosted = this.hosted.get(runId);
    if (hosted) {
      hosted.readers++;
      clearTimeout(hosted.orphanTimer);
    }
    try {
      yield* pieces;
    } finally {
      if (hosted && --hosted.readers === 0) this.watchForReaders(hosted);
    }
  }

  private watchForReaders(hosted: Hosted, delayMs = this.options.orphanMs): void {
    if (hosted.run.writer.ended) return;
    clearTimeout(hosted.orphanTimer);
    hosted.orphanTimer = setTimeout(() => void this.stopUnread(hosted), delayMs);
    hosted.orphanTimer.unref();
  }

  private async stopUnread(hosted: Hosted): Promise<void> {
    const idleMs = await this.options.engine.idleMs(hosted.run.runId);
    if (hosted.readers > 0) return;
    const rest = this.options.orphanMs - idleMs;
    if (rest > 0) this.watchForReaders(hosted, rest);
    else hosted.run.abort();
  }
}
