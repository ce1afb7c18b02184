import { ActiveRun, type CommandOutcome, type RunCommand } from "./active-run";
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

  constructor(private readonly options: RunRegistryOptions) {}

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
    return (await this.has(runId)) ? "ended" : undefined;
  }

  /** Ends all runs at once and says that they were cut: the server is about to stop. */
  interruptAll(): void {
    for (const { run } of this.hosted.values()) {
      void run.writer.append({ type: "agent_end", messages: [], interrupted: true });
      run.abort();
    }
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
    setTimeout(() => void this.options.engine.remove(run.runId), this.options.keepMs).unref();
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

  private watchForReaders(hosted: Hosted): void {
    if (hosted.run.writer.ended) return;
    clearTimeout(hosted.orphanTimer);
    hosted.orphanTimer = setTimeout(() => hosted.run.abort(), this.options.orphanMs);
    hosted.orphanTimer.unref();
  }
}
