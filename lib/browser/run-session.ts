import type { RunEvent } from "@/lib/run/events";
import { foldRunEvent, initialRunState, type RunState } from "@/lib/run/fold";
import type { RunRequest } from "@/lib/run/request";
import { onChange } from "./changes";
import { readConversation, type StoredRun } from "./db/entries";
import { type StorageError, toStorageError } from "./db/errors";
import type { EntryRow } from "./db/rows";
import type { RunFailure } from "./failure";
import { followRun, type RunOutcome } from "./follow-run";
import { type Interruption, interruptRun } from "./interrupted";
import { holdLock } from "./locks";
import type { Page } from "./page";
import { RunCallError, type RunClient } from "./run-client";
import { RunRows } from "./run-rows";
import { RunSaver } from "./run-saver";

export type Connection = "connecting" | "open" | "reconnecting" | "lost";

/** What a page draws of a run. A new object, with new references for what changed only. */
export interface RunSnapshot {
  runId: string;
  connection: Connection;
  state: RunState;
  /** The run's finished messages, in order, whether they could be stored or not. */
  entries: EntryRow[];
  /** The run was not started, or could not be followed. */
  failure?: RunFailure;
  /** What is shown is not stored yet; it is tried again by itself. */
  unsaved?: StorageError;
  /** Nothing more will come. */
  over: boolean;
}

export interface RunSessionOptions {
  conversationId: string;
  runId: string;
  /** The entry that the run answers. */
  base?: EntryRow;
  /** What was asked; names the author of an answer that never began. */
  model: { provider: string; id: string; api?: string };
  /** The run's request, when the server may not know the run yet. */
  start?: { request: RunRequest; apiKey?: string };
  /** How far the run had come when it was stored. */
  restored?: StoredRun;
  client: RunClient;
  page: Page;
}

/** One run of one conversation, followed to its end. */
export interface RunSession {
  readonly conversationId: string;
  readonly runId: string;
  snapshot(): RunSnapshot;
  /** Called at most once per frame while the run goes on, and once at its end. Returns how to stop. */
  subscribe(listener: (snapshot: RunSnapshot) => void): () => void;
  /** Ends the run and keeps what has arrived. Resolves once nothing more will come. */
  stop(): Promise<void>;
  /** Stores what can be stored now. @throws {StorageError} when it cannot */
  flush(): Promise<void>;
  /** Lets go of the run as a closed tab does: it goes on, and what was not stored is asked for again next time. */
  leave(): void;
  /**
   * Resolves when the run is over and all of it is stored. "elsewhere": another tab saw to it, or the conversation was
   * deleted; what is stored is the truth.
   */
  readonly finished: Promise<"here" | "elsewhere" | "left">;
}

const STOP_CALL_MS = 3000;
const STOP_GRACE_MS = 5000;

/**
 * Follows a run: folds its events, tells its listeners once a frame, and stores what arrived: a finished message before
 * the next event is looked at, the partial one at most every half second. One tab does that; the others show what it
 * stored and are ready to take over.
 */
export function startRunSession(options: RunSessionOptions): RunSession {
  const { conversationId, runId, client, page } = options;
  const rows = new RunRows(conversationId, runId, options.base);
  const listeners = new Set<(snapshot: RunSnapshot) => void>();
  const lifetime = new AbortController();
  const connectionLifetime = new AbortController();
  lifetime.signal.addEventListener("abort", () => connectionLifetime.abort());

  let state = options.restored?.state ?? initialRunState();
  if (options.restored) rows.restore(state, options.restored.rows);
  let connection: Connection = "connecting";
  let failure: RunFailure | undefined;
  let unreadable: StorageError | undefined;
  let over = false;
  let stopped = false;
  let ingesting = false;
  let framePending = false;
  function makeSnapshot(): RunSnapshot {
    const unsaved = saver.unsaved ?? unreadable;
    return {
      runId,
      connection,
      state,
      entries: rows.entries(state),
      ...(failure && { failure }),
      ...(unsaved && { unsaved }),
      over,
    };
  }

  function draw(): void {
    framePending = false;
    current = makeSnapshot();
    for (const listener of listeners) listener(current);
  }

  function drawSoon(): void {
    if (framePending || lifetime.signal.aborted) return;
    framePending = true;
    page.beforeNextFrame(() => {
      if (framePending && !lifetime.signal.aborted) draw();
    });
  }

  const saver = new RunSaver({
    conversationId,
    runId,
    rows,
    page,
    state: () => state,
    onChange: drawSoon,
    onOver: () => connectionLifetime.abort(),
  });
  let current = makeSnapshot();

  // --- Following -----------------------------------------------------------------------------

  /** Takes what is stored; false when the run is not the conversation's active one any more. */
  async function readBack(): Promise<boolean> {
    const stored = await readConversation(conversationId);
    if (stored?.run?.runId !== runId) return false;
    if (stored.run.state.lastSeq >= state.lastSeq) {
      state = stored.run.state;
      rows.restore(state, stored.run.rows);
      drawSoon();
    }
    return true;
  }

  /** Shows what the ingesting tab stores, until this tab gets the lock or the run is over. */
  function followOtherTab(): void {
    connection = "open";
    let reading = false;
    let again = false;
    const read = async (): Promise<void> => {
      if (ingesting || over) return;
      if (reading) {
        again = true;
        return;
      }
      reading = true;
      try {
        if (!(await readBack())) finish("elsewhere");
      } catch (error) {
        unreadable = toStorageError(error);
        drawSoon();
      }
      reading = false;
      if (again) {
        again = false;
        await read();
      }
    };
    const unsubscribe = onChange((change) => {
      if (change.kind !== "settings" && change.id === conversationId) void read();
    });
    lifetime.signal.addEventListener("abort", unsubscribe);
    void read();
  }

  async function ingest(): Promise<void> {
    if (over || lifetime.signal.aborted) return;
    ingesting = true;
    // Another tab may have come further since this one read.
    if (options.restored && !(await readBack().catch(() => true))) {
      finish("elsewhere");
      return;
    }
    const stopSavingOnHide = page.onHidden(() => void saver.save());
    const outcome = await fold();
    stopSavingOnHide();
    if (lifetime.signal.aborted) return;
    if (saver.over) {
      finish("elsewhere");
      return;
    }
    settle(outcome);
    await saver.saveTheEnd(failure ? { failure } : {}, lifetime.signal);
    finish(saver.over ? "elsewhere" : "here");
  }

  async function fold(): Promise<RunOutcome> {
    const events: AsyncGenerator<RunEvent, RunOutcome> = followRun({
      client,
      runId,
      afterSeq: state.lastSeq,
      ...(options.start && state.lastSeq === 0 && { start: options.start }),
      signal: connectionLifetime.signal,
      wait: page.wait,
      onNetworkChange: page.onOnline,
      onConnection(next) {
        connection = next;
        drawSoon();
      },
    });
    for (;;) {
      const next = await events.next();
      if (next.done) return next.value;
      const event = next.value;
      state = foldRunEvent(state, event);
      drawSoon();
      if (event.type === "message_end") await saver.save();
      else saver.saveSoon();
    }
  }

  /** Gives the run the end that it has, or the one that it gets here because the log has none. */
  function settle(outcome: RunOutcome): void {
    switch (outcome.kind) {
      case "ended":
        if (state.interrupted || state.messages.some((message) => !message.complete)) {
          interrupt("error", "ended-early", "The server stopped before the answer was complete.");
        }
        break;
      case "refused":
        failure = outcome.failure;
        connection = "lost";
        state = { ...state, status: "ended" };
        // It may have been started all the same, when only its answer was lost.
        if (failure.class === "network") void client.abort(runId).catch(() => {});
        break;
      case "lost":
        connection = "lost";
        if (outcome.failure.class === "not-found") {
          interrupt(
            "error",
            "ended-early",
            "Rill's server no longer knows this run, so the rest of the answer is lost.",
          );
        } else {
          interrupt("error", outcome.failure.class, outcome.failure.message);
        }
        break;
      case "left":
        interrupt("aborted", "aborted", "Stopped.");
        break;
    }
    over = true;
    draw();
  }

  function interrupt(
    stopReason: Interruption["stopReason"],
    errorClass: Interruption["class"],
    message: string,
  ): void {
    const { model } = options;
    const now = page.now();
    state = interruptRun(state, { runId, model, stopReason, class: errorClass, message, now });
  }

  // --- End -----------------------------------------------------------------------------------

  let resolveFinished: (how: "here" | "elsewhere" | "left") => void = () => {};
  const finished = new Promise<"here" | "elsewhere" | "left">((resolve) => {
    resolveFinished = resolve;
  });

  function finish(how: "here" | "elsewhere" | "left"): void {
    if (how !== "left") {
      over = true;
      draw();
    }
    lifetime.abort();
    saver.close();
    resolveFinished(how);
  }

  void holdLock(`rill-run:${conversationId}`, lifetime.signal, ingest, followOtherTab).catch(
    (error: unknown) => {
      failure ??= {
        class: "unknown",
        message: `This page cannot follow the run: ${error instanceof Error ? error.name : "error"}.`,
      };
      finish("here");
    },
  );

  async function stop(): Promise<void> {
    if (over || stopped) {
      await untilOver();
      return;
    }
    stopped = true;
    const reachable = await client.abort(runId, AbortSignal.timeout(STOP_CALL_MS)).then(
      () => true,
      (error: unknown) => error instanceof RunCallError && error.outcome === "refused",
    );
    if (over) return;
    if (!reachable) {
      connectionLifetime.abort();
      // Its start may have been under way just then.
      void client.abort(runId).catch(() => {});
    }
    const callOff = page.after(STOP_GRACE_MS, () => connectionLifetime.abort());
    await untilOver();
    callOff();
  }

  function untilOver(): Promise<void> {
    if (over || lifetime.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      lifetime.signal.addEventListener("abort", () => resolve());
      const unsubscribe = subscribe((snapshot) => {
        if (!snapshot.over) return;
        unsubscribe();
        resolve();
      });
    });
  }

  function subscribe(listener: (snapshot: RunSnapshot) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    conversationId,
    runId,
    finished,
    snapshot: () => current,
    subscribe,
    stop,
    async flush() {
      if (!(await saver.save())) throw saver.unsaved;
    },
    leave: () => finish("left"),
  };
}
