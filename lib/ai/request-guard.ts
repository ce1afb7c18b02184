/** The caller stopped the request. */
export class AbortedError extends Error {
  constructor() {
    super("The request was aborted.");
    this.name = "AbortError";
  }
}

/** Nothing came for too long. */
export class IdleTimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`The host sent nothing for ${timeoutMs / 1000} s, so the request timed out.`);
    this.name = "TimeoutError";
  }
}

/**
 * Watches one request: ends it when the caller aborts or when nothing has come for `timeoutMs`, headers and every chunk of
 * the body alike (P-264, P-407). `signal` is for the vendor's SDK.
 */
export class RequestGuard {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private reject: ((error: Error) => void) | undefined;
  private failure: Error | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private touched = 0;
  private readonly onAbort = (): void => this.fail(new AbortedError());

  constructor(
    private readonly outer: AbortSignal | undefined,
    private readonly timeoutMs: number | undefined,
  ) {
    this.signal = this.controller.signal;
    if (outer?.aborted) this.onAbort();
    else outer?.addEventListener("abort", this.onAbort, { once: true });
    if (timeoutMs && timeoutMs > 0) {
      this.touched = performance.now();
      this.arm(timeoutMs);
    }
  }

  /** Something came: the limit of silence starts anew. One timer runs on, so that a chunk costs one clock reading. */
  touch(): void {
    if (this.timer) this.touched = performance.now();
  }

  /** The promise, or the guard's error if that comes first. One at a time. */
  race<T>(promise: Promise<T>): Promise<T> {
    if (this.failure) {
      promise.catch(() => {});
      return Promise.reject(this.failure);
    }
    return new Promise((resolve, reject) => {
      this.reject = reject;
      promise.then(resolve, (error: unknown) => reject(this.failure ?? error));
    });
  }

  /** Lets go of the timer and the caller's signal. */
  release(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.outer?.removeEventListener("abort", this.onAbort);
    this.reject = undefined;
  }

  private arm(delayMs: number): void {
    this.timer = setTimeout(() => {
      const limit = this.timeoutMs as number;
      const left = limit - (performance.now() - this.touched);
      if (left <= 0) this.fail(new IdleTimeoutError(limit));
      else this.arm(left);
    }, delayMs);
  }

  private fail(error: Error): void {
    if (this.failure) return;
    this.failure = error;
    this.controller.abort(error);
    this.reject?.(error);
  }
}
