import type { RedisClientType } from "redis";
import { HttpError } from "../../errors";
import { type Script, scriptSha } from "./scripts";

const retryMs = 50;

type Client = RedisClientType<Record<string, never>, Record<string, never>, Record<string, never>>;

/** Two connections, one for commands and one for what others publish. Both come back by themselves. */
export class RedisConnection {
  private opening: Promise<{ commands: Client; channels: Client }> | undefined;
  private closed = false;
  private told = false;

  /** @param commandMs longest time for one command; one that failed may have been carried out all the same */
  constructor(
    private readonly url: string,
    private readonly commandMs: number,
  ) {}

  /** @throws Error when the server cannot be reached */
  async command(...words: (string | number)[]): Promise<unknown> {
    const { commands } = await this.open();
    return this.within(commands.sendCommand(words.map(String)));
  }

  /** @throws Error when the server cannot be reached */
  async run(script: Script, keys: string[], values: (string | number)[]): Promise<unknown> {
    const rest = [keys.length, ...keys, ...values];
    try {
      return await this.command("EVALSHA", scriptSha(script), ...rest);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return this.command("EVAL", script, ...rest);
    }
  }

  /**
   * For a caller over HTTP: does it again when it fails, since a connection that was cut is back in a moment. The work must
   * be such that doing it twice does no harm.
   * @throws HttpError 503
   */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    const latest = performance.now() + this.commandMs;
    for (;;) {
      try {
        return await work();
      } catch {
        if (performance.now() + retryMs > latest) throw unavailable();
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }

  /** Resolves when nothing more that is published can be missed. */
  async subscribe(channel: string, listener: (text: string) => void): Promise<void> {
    const { channels } = await this.open();
    await this.within(channels.subscribe(channel, listener));
  }

  async unsubscribe(channel: string, listener: (text: string) => void): Promise<void> {
    const { channels } = await this.open();
    if (channels.isOpen) await this.within(channels.unsubscribe(channel, listener));
  }

  /** Drops both connections at once. */
  async close(): Promise<void> {
    this.closed = true;
    const open = await this.opening?.catch(() => undefined);
    if (open) for (const client of [open.commands, open.channels]) destroy(client);
  }

  private open(): Promise<{ commands: Client; channels: Client }> {
    if (this.closed) return Promise.reject(new Error("The connection to Redis is closed."));
    this.opening ??= this.connect();
    return this.opening;
  }

  private async connect(): Promise<{ commands: Client; channels: Client }> {
    // Loaded only where it is used.
    const { createClient } = await import("redis");
    const client = (disableOfflineQueue: boolean): Client => {
      const made = createClient({
        url: this.url,
        RESP: 2,
        disableOfflineQueue,
        pingInterval: this.commandMs,
        socket: { connectTimeout: this.commandMs },
      }) as unknown as Client;
      made.on("error", (error: unknown) => this.tell(error));
      made.on("ready", () => {
        this.told = false;
      });
      return made;
    };
    // A command fails at once while the server is away: who sent it knows best whether to try again.
    const commands = client(true);
    const channels = client(false);
    try {
      await this.within(Promise.all([commands.connect(), channels.connect()]));
    } catch (error) {
      this.opening = undefined;
      for (const made of [commands, channels]) destroy(made);
      throw error;
    }
    return { commands, channels };
  }

  private async within<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const error = new Error("Redis did not answer in time.");
      timer = setTimeout(reject, this.commandMs, error);
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Once for each time that it is away, by name only: an address may hold a password. */
  private tell(error: unknown): void {
    if (this.told || this.closed) return;
    this.told = true;
    const code = (error as { code?: unknown } | undefined)?.code;
    console.error(`Redis cannot be reached${typeof code === "string" ? ` (${code})` : ""}.`);
  }
}

export function unavailable(): HttpError {
  return new HttpError(503, "runs-unavailable", "The server cannot reach its runs. Try again.");
}

function destroy(client: Client): void {
  if (client.isOpen) client.destroy();
}
