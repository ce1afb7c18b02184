import type { Page } from "../page";

/** A page whose frames and timers the test drives. Waiting takes no time. */
export class FakePage implements Page {
  time = 1_700_000_000_000;
  /** Draw at once, without being told to. */
  autoDraw = true;
  readonly waits: number[] = [];
  readonly #frames: (() => void)[] = [];
  #timers: { at: number; callback: () => void }[] = [];
  readonly #hidden = new Set<() => void>();
  readonly #shown = new Set<() => void>();
  readonly #online = new Set<() => void>();

  now = (): number => this.time;

  beforeNextFrame = (callback: () => void): void => {
    if (this.autoDraw) queueMicrotask(callback);
    else this.#frames.push(callback);
  };

  after = (delayMs: number, callback: () => void): (() => void) => {
    const timer = { at: this.time + delayMs, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  wait = (delayMs: number): Promise<void> => {
    this.waits.push(delayMs);
    return new Promise((resolve) => setImmediate(resolve));
  };

  onHidden = (callback: () => void): (() => void) => subscribe(this.#hidden, callback);
  onShown = (callback: () => void): (() => void) => subscribe(this.#shown, callback);
  onOnline = (callback: () => void): (() => void) => subscribe(this.#online, callback);

  drawFrame(): void {
    for (const callback of this.#frames.splice(0)) callback();
  }

  /** Moves the clock on and runs what is due. */
  advance(ms: number): void {
    this.time += ms;
    const due = this.#timers.filter(({ at }) => at <= this.time);
    this.#timers = this.#timers.filter(({ at }) => at > this.time);
    for (const { callback } of due) callback();
  }

  hide(): void {
    for (const callback of this.#hidden) callback();
  }

  show(): void {
    for (const callback of this.#shown) callback();
  }

  comeOnline(): void {
    for (const callback of this.#online) callback();
  }
}

function subscribe(callbacks: Set<() => void>, callback: () => void): () => void {
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}
