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

interface Followers {
  callbacks: Set<() => void>;
  unfollow: () => void;
}

const followersOf = new WeakMap<AbortSignal, Followers>();

/**
 * Calls back once `signal` is aborted, at once if it is already. Returns what ends the interest. However many tools run
 * side by side, the signal has one listener: a platform warns of a leak from the eleventh on.
 */
export function whenAborted(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const followers = followersOf.get(signal) ?? follow(signal);
  // An object of its own for each interest, should the same function be given twice.
  const entry = (): void => callback();
  followers.callbacks.add(entry);
  return () => {
    followers.callbacks.delete(entry);
    if (followers.callbacks.size === 0) followers.unfollow();
  };
}

function follow(signal: AbortSignal): Followers {
  const callbacks = new Set<() => void>();
  const onAbort = (): void => {
    followersOf.delete(signal);
    for (const callback of callbacks) callback();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const unfollow = (): void => {
    signal.removeEventListener("abort", onAbort);
    followersOf.delete(signal);
  };
  const followers = { callbacks, unfollow };
  followersOf.set(signal, followers);
  return followers;
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
    const abandon = (): void => reject(new AbandonedError());
    const stopWaiting = whenAborted(signal, () => {
      if (graceMs <= 0) abandon();
      else cancelTimer = startTimer(graceMs, abandon);
    });
    const release = (): void => {
      stopWaiting();
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
  });
}

/** Settles as `work` does, or ends with an AbandonedError as soon as `signal` is aborted. */
export function unlessAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return withGrace(work, signal, 0);
}
