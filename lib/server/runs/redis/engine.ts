import type { CommandHandler, CommandOutcome, RunCommand } from "../command";
import type { RunLog, RunLogEngine } from "../log";
import { RedisConnection } from "./connection";
import { runKeys } from "./keys";
import { OwnedRedisRunLog, RedisRunLog } from "./log";
import { type Addressee, Mail } from "./mail";
import { bury, lookAt, type RedisLogSettings } from "./read-log";
import { createScript, idleScript, renewScript } from "./scripts";
import { Wakes } from "./wakes";

export interface RedisRunLogOptions {
  url: string;
  /** How long a finished run can be read, in ms. */
  keepMs: number;
  /** An instance that has been silent for so long is dead, in ms. */
  leaseMs?: number;
  /** Least time that a finished log is kept whatever `keepMs` says: readers elsewhere must get its end. */
  minKeepMs?: number;
  /** Longest time to wait for Redis, in ms. */
  commandMs?: number;
}

const day = 86_400_000;

/**
 * Logs in Redis Streams, which any number of instances share: each run is written by the instance that runs it and read
 * through any. Memory: here what Redis has not taken yet and one piece for each reader; there each log until it expires.
 */
export class RedisRunLogEngine implements RunLogEngine {
  private readonly instanceId = crypto.randomUUID();
  private readonly connection: RedisConnection;
  private readonly settings: RedisLogSettings;
  private readonly mail: Mail;
  private readonly owned = new Map<string, OwnedRedisRunLog>();
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  private handler: CommandHandler = () => undefined;

  constructor(options: RedisRunLogOptions) {
    const { url, leaseMs = 10_000, minKeepMs = 5000, commandMs = 5000 } = options;
    this.connection = new RedisConnection(url, commandMs);
    this.settings = {
      connection: this.connection,
      wakes: new Wakes(this.connection),
      leaseMs,
      keepMs: Math.max(options.keepMs, minKeepMs),
    };
    const handle: CommandHandler = (runId, command) => this.handler(runId, command);
    this.mail = new Mail(this.connection, this.instanceId, handle);
  }

  async create(runId: string): Promise<RunLog | undefined> {
    return this.createOwned(runId);
  }

  async open(runId: string): Promise<RunLog | undefined> {
    const owned = this.owned.get(runId);
    if (owned) return owned;
    const keys = runKeys(runId);
    const look = await this.connection.patiently(() => lookAt(this.settings, keys, false));
    return look && new RedisRunLog(this.settings, runId, look);
  }

  /** The end of the log has set its time already. */
  async expire(runId: string): Promise<void> {
    const log = this.owned.get(runId);
    await log?.settled;
    this.owned.delete(runId);
    if (this.owned.size === 0) this.stopHeartbeat();
  }

  serve(handler: CommandHandler): void {
    this.handler = handler;
  }

  async send(runId: string, command: RunCommand): Promise<CommandOutcome | undefined> {
    return this.sendToOwner(runId, command);
  }

  async idleMs(runId: string): Promise<number> {
    try {
      const idle = Number(await this.connection.run(idleScript, [runKeys(runId).state], []));
      return idle < 0 ? Number.POSITIVE_INFINITY : idle;
    } catch {
      // Whoever reads elsewhere cannot say so now.
      return 0;
    }
  }

  async close(): Promise<void> {
    this.stopHeartbeat();
    for (const log of this.owned.values()) log.stop();
    await this.connection.close();
  }

  private async createOwned(runId: string): Promise<RunLog | undefined> {
    // Before the run is known to others: they must be able to reach it.
    await this.connection.patiently(() => this.mail.open());
    const { id, state, lease } = runKeys(runId);
    const values = [
      ...[this.instanceId, this.settings.leaseMs, this.runningKeepMs, this.idMs],
      crypto.randomUUID(),
    ];
    const created = await this.connection.patiently(() =>
      this.connection.run(createScript, [id, state, lease], values),
    );
    if (created !== 1) return undefined;
    const log = new OwnedRedisRunLog(this.settings, this.instanceId, runId, this.runningKeepMs);
    this.owned.set(runId, log);
    this.heartbeat ??= setInterval(() => void this.renewAll(), this.settings.leaseMs / 3);
    this.heartbeat.unref();
    return log;
  }

  private async sendToOwner(
    runId: string,
    command: RunCommand,
  ): Promise<CommandOutcome | undefined> {
    const keys = runKeys(runId);
    const find = async (): Promise<Addressee> => {
      const owner = await this.connection.command("GET", keys.lease);
      if (typeof owner === "string") return { owner };
      const look = await lookAt(this.settings, keys, false);
      if (look && !look.ended) await bury(this.settings, keys);
      return { outcome: look ? "ended" : undefined };
    };
    return this.mail.send(runId, command, () => this.connection.patiently(find));
  }

  private async renewAll(): Promise<void> {
    await Promise.all([...this.owned].map(([runId, log]) => this.renew(runId, log)));
  }

  private async renew(runId: string, log: OwnedRedisRunLog): Promise<void> {
    if (log.ended) return;
    const { id, log: stream, state, lease } = runKeys(runId);
    const values = [this.instanceId, this.settings.leaseMs, this.runningKeepMs, this.idMs];
    try {
      const renewed = await this.connection.run(renewScript, [id, stream, state, lease], values);
      // It may have ended meanwhile by itself.
      if (renewed !== 1 && !log.ended) log.lose();
    } catch {
      // The next beat tries again; when it comes too late, it is told that the log is lost.
    }
  }

  private stopHeartbeat(): void {
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }

  /** Long enough after the last sign of life that a reader who comes late is told of the death. */
  private get runningKeepMs(): number {
    return this.settings.keepMs + 6 * this.settings.leaseMs;
  }

  private get idMs(): number {
    return this.runningKeepMs + day;
  }
}
