import type { RunEvent } from "@/lib/run/events";
import type { RunRequest } from "@/lib/run/request";
import type { RunFailure } from "./failure";
import { RunCallError, type RunClient, UnreadableLogError } from "./run-client";

/** How following a run came to its end. */
export type RunOutcome =
  /** Its last event has arrived. */
  | { kind: "ended" }
  /** It was never started. */
  | { kind: "refused"; failure: RunFailure }
  /** It had started, and its rest cannot be had any more. */
  | { kind: "lost"; failure: RunFailure }
  /** The signal was aborted. */
  | { kind: "left" };

export interface FollowRun {
  client: RunClient;
  runId: string;
  /** The number of the last event that the caller has. */
  afterSeq: number;
  /** Given when the run may not have been started yet: it is posted, and posting it twice does no harm. */
  start?: { request: RunRequest; apiKey?: string };
  signal: AbortSignal;
  onConnection: (connection: "connecting" | "open" | "reconnecting") => void;
  /** Waits before the next attempt; ends early when there is reason to hope. */
  wait: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Calls back when an open connection may have died unseen; returns how to stop. */
  onNetworkChange?: (reconnect: () => void) => () => void;
}

const MAX_START_ATTEMPTS = 5;
const MAX_DELAY_MS = 10_000;
/** Attempts that arrive at the same unreadable place of the log, after which it is given up. */
const MAX_STUCK_ATTEMPTS = 3;

/**
 * Every event of a run after `afterSeq`, each exactly once and in order, over as many connections as it takes. A gap in
 * the numbers is asked for again; what was seen before is passed over. Never throws.
 */
export async function* followRun(options: FollowRun): AsyncGenerator<RunEvent, RunOutcome> {
  const { client, runId, signal, onConnection, wait } = options;
  let { afterSeq, start } = options;
  let failures = 0;
  let stuck = 0;
  onConnection("connecting");
  while (!signal.aborted) {
    // Each attempt has a signal of its own, so that leaving a connection always closes it.
    const attempt = new AbortController();
    const leave = (): void => attempt.abort(signal.reason);
    signal.addEventListener("abort", leave);
    const unsubscribe = options.onNetworkChange?.(() => attempt.abort());
    let failure: RunFailure = {
      class: "network",
      message: "The connection to Rill's server was cut.",
    };
    try {
      const events = start
        ? await client.start(start.request, start.apiKey, attempt.signal)
        : await client.attach(runId, afterSeq, attempt.signal);
      start = undefined;
      onConnection("open");
      for await (const event of events) {
        if (event.seq <= afterSeq) continue;
        if (event.seq > afterSeq + 1) {
          stuck++;
          break;
        }
        afterSeq = event.seq;
        failures = 0;
        stuck = 0;
        yield event;
        if (event.type === "agent_end") return { kind: "ended" };
      }
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof RunCallError) {
        failure = error.failure;
        if (start && (error.outcome !== "unsure" || failures + 1 >= MAX_START_ATTEMPTS)) {
          return { kind: "refused", failure };
        }
        if (error.outcome !== "unsure") return { kind: "lost", failure };
      } else if (error instanceof UnreadableLogError) {
        stuck++;
      }
    } finally {
      unsubscribe?.();
      signal.removeEventListener("abort", leave);
      attempt.abort();
    }
    if (stuck >= MAX_STUCK_ATTEMPTS) {
      return {
        kind: "lost",
        failure: {
          class: "unknown",
          code: "unreadable-log",
          message: "This page cannot read the rest of the answer from Rill's server.",
        },
      };
    }
    onConnection("reconnecting");
    const delay = Math.min(250 * 2 ** failures, MAX_DELAY_MS);
    failures++;
    await wait(failure.retryAfterMs ?? delay * (0.5 + Math.random() / 2), signal);
  }
  return { kind: "left" };
}
