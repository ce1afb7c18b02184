type Grant = (lock: Lock | null) => Promise<unknown>;

/** Web Locks of one browser: exclusive, first come first served. A tab that is closed lets go by `release`. */
export class FakeLocks {
  readonly #held = new Set<string>();
  readonly #queue: { name: string; grant: () => void }[] = [];

  request = async (
    name: string,
    options: { ifAvailable?: boolean; signal?: AbortSignal },
    body: Grant,
  ): Promise<unknown> => {
    if (this.#held.has(name)) {
      if (options.ifAvailable) return body(null);
      await new Promise<void>((resolve, reject) => {
        const waiting = { name, grant: resolve };
        this.#queue.push(waiting);
        options.signal?.addEventListener("abort", () => {
          const index = this.#queue.indexOf(waiting);
          if (index === -1) return;
          this.#queue.splice(index, 1);
          reject(options.signal?.reason);
        });
      });
    }
    this.#held.add(name);
    try {
      return await body({ name, mode: "exclusive" });
    } finally {
      this.#held.delete(name);
      const next = this.#queue.findIndex((waiting) => waiting.name === name);
      if (next !== -1) {
        this.#held.add(name);
        this.#queue.splice(next, 1)[0]?.grant();
      }
    }
  };
}
