/** Waiting that an abort can end. Nothing here leaves a listener or a timer behind. */

/** The longest delay that a timer takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Thrown by a wait that the signal ended. The work itself may still be going on; its late result is dropped. */
export class AbandonedError extends Error {
  override readonly name = "AbandonedError";
  constructor() {
    super("The run was aborted.");
  }
}

/** A timer that copes with any number of ms. Returns what cancels it. */
export function startTimer(milliseconds: number, fire: () => void): () => void {
  const timer = setTimeout(fire, Math.min(Math.max(0, milliseconds), LONGEST_TIMER_MS));
  return () => clearTimeout(timer);
}

/**
 * Settles as `work` does. Once `signal` is aborted the work has `graceMs` more to settle by itself; then the wait ends
 * with an AbandonedError. A grace of 0 ends it at once.
 */
export function withGrace<T>(
  work: T | Promise<T>,
  signal: AbortSignal,
  graceMs: number,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let cancelTimer: (() => void) | undefined;
    const abandon = (): void => {
      signal.removeEventListener("abort", onAbort);
      reject(new AbandonedError());
    };
    const onAbort = (): void => {
      if (graceMs <= 0) abandon();
      else cancelTimer = startTimer(graceMs, abandon);
    };
    const release = (): void => {
      signal.removeEventListener("abort", onAbort);
      cancelTimer?.();
    };
    Promise.resolve(work).then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(error);
      },
    );
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Settles as `work` does, or ends with an AbandonedError as soon as `signal` is aborted. */
export function unlessAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return withGrace(work, signal, 0);
}
