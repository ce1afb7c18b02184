import type { RedisConnection } from "./connection";

/** What a reader waits on. */
export interface Wake {
  /** Grows with every change of the log; taken before a look at the log. */
  readonly count: number;
  /** Resolves when the log has changed since that count, after `maxMs` at the latest, or when the signal aborts. */
  changed(since: number, maxMs: number, signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** One subscription for each log that is read here, however many read it. */
export class Wakes {
  private readonly channels = new Map<string, WakeChannel>();

  constructor(private readonly connection: RedisConnection) {}

  async join(name: string): Promise<Wake> {
    let channel = this.channels.get(name);
    if (!channel) {
      channel = new WakeChannel(this.connection, name, () => this.channels.delete(name));
      this.channels.set(name, channel);
    }
    channel.readers++;
    await channel.subscribed;
    return channel;
  }
}

class WakeChannel implements Wake {
  readers = 0;
  count = 0;
  readonly subscribed: Promise<void>;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly connection: RedisConnection,
    private readonly name: string,
    private readonly onEmpty: () => void,
  ) {
    // Without it, readers look by themselves from time to time.
    this.subscribed = connection.subscribe(name, this.onMessage).catch(() => {});
  }

  private readonly onMessage = (): void => {
    this.count++;
    for (const wake of [...this.waiting]) wake();
  };

  changed(since: number, maxMs: number, signal: AbortSignal): Promise<void> {
    if (this.count !== since || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, maxMs);
      signal.addEventListener("abort", wake);
      this.waiting.add(wake);
    });
  }

  leave(): void {
    if (--this.readers > 0) return;
    this.onEmpty();
    void this.connection.unsubscribe(this.name, this.onMessage).catch(() => {});
  }
}
