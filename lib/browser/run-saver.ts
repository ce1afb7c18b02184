import type { RunState } from "@/lib/run/fold";
import { announceChange } from "./changes";
import { type Checkpoint, storeCheckpoint } from "./db/checkpoint";
import { type StorageError, toStorageError } from "./db/errors";
import type { RunFailure } from "./failure";
import type { Page } from "./page";
import type { RunRows } from "./run-rows";

export interface RunSaverOptions {
  conversationId: string;
  runId: string;
  rows: RunRows;
  page: Page;
  /** The state as it is now. */
  state: () => RunState;
  /** Called when `unsaved` has changed. */
  onChange: () => void;
  /** Called when the run is not the conversation's active one any more: nothing of it may be stored. */
  onOver: () => void;
}

const CHECKPOINT_MS = 500;
const RETRY_MS = 5000;

/** Stores a run as it goes on, one transaction after the other. What failed is part of the next attempt. */
export class RunSaver {
  /** Why the state is not stored, as long as it is not. */
  unsaved: StorageError | undefined;
  /** Another tab saw to the run's end, or the conversation was deleted. */
  over = false;
  readonly #options: RunSaverOptions;
  #end: { failure?: RunFailure } | undefined;
  #closed = false;
  #saving: Promise<unknown> = Promise.resolve();
  #callOffCheckpoint: (() => void) | undefined;

  constructor(options: RunSaverOptions) {
    this.#options = options;
  }

  /** Stores the state within half a second. */
  saveSoon(): void {
    this.#callOffCheckpoint ??= this.#options.page.after(CHECKPOINT_MS, () => {
      this.#callOffCheckpoint = undefined;
      void this.save();
    });
  }

  /** Resolves with whether storage holds everything, after whatever is being stored right now. Never rejects. */
  save(): Promise<boolean> {
    const saved = this.#saving.then(() => this.#saveNow());
    this.#saving = saved;
    return saved;
  }

  /** Stores the run's end and frees the conversation; tries until that has worked, `close` is called, or it is hopeless. */
  async saveTheEnd(end: { failure?: RunFailure }, signal: AbortSignal): Promise<void> {
    this.#end = end;
    while (!(await this.save()) && !signal.aborted) {
      // A page of an older version can never save again; the next one picks the run up where it was stored.
      if (this.unsaved?.kind === "outdated") return;
      await this.#options.page.wait(RETRY_MS, signal);
    }
  }

  /** Stores nothing from now on. */
  close(): void {
    this.#closed = true;
    this.#callOffCheckpoint?.();
  }

  async #saveNow(): Promise<boolean> {
    this.#callOffCheckpoint?.();
    this.#callOffCheckpoint = undefined;
    if (this.over || this.#closed) return true;
    const { conversationId, rows, page } = this.#options;
    const state = this.#options.state();
    const end = this.#end;
    const changes = rows.unsaved(state) ?? (end && this.#noChanges(state));
    if (!changes) return true;
    try {
      const answer = await storeCheckpoint({ ...changes, ...(end && { end }), now: page.now() });
      if (answer === "over") {
        this.over = true;
        this.#options.onOver();
        return true;
      }
      rows.saved(state);
      this.#tell(undefined);
      const whole = changes.finished.length > 0 || end !== undefined;
      announceChange({ kind: whole ? "conversation" : "progress", id: conversationId });
      return true;
    } catch (error) {
      this.#tell(toStorageError(error));
      return false;
    }
  }

  #tell(unsaved: StorageError | undefined): void {
    if (this.unsaved === unsaved) return;
    this.unsaved = unsaved;
    this.#options.onChange();
  }

  #noChanges(state: RunState): Omit<Checkpoint, "now" | "end"> {
    const { conversationId, runId } = this.#options;
    return { conversationId, runId, afterSeq: state.lastSeq, finished: [], partial: [], path: [] };
  }
}
