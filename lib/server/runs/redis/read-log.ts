import type { RedisConnection } from "./connection";
import { type RunKeys, runKeys } from "./keys";
import { buryScript, lookScript } from "./scripts";
import type { Wakes } from "./wakes";

/** Events that a reader gets at once at most. */
const pieceEvents = 200;
const retryMs = 500;

export interface RedisLogSettings {
  connection: RedisConnection;
  wakes: Wakes;
  /** How long an instance may be silent before its runs count as dead. */
  leaseMs: number;
  /** How long an ended log is kept. */
  keepMs: number;
}

export interface LogLook {
  last: number;
  ended: boolean;
  alive: boolean;
}

/** What Redis has of a run, or undefined when it has nothing (any more). */
export async function lookAt(
  { connection }: Pick<RedisLogSettings, "connection">,
  keys: RunKeys,
  asReader: boolean,
): Promise<LogLook | undefined> {
  const reply = await connection.run(lookScript, [keys.state, keys.lease], [asReader ? 1 : 0]);
  const [last = -1, ended, alive] = (reply as unknown[]).map(Number);
  return last < 0 ? undefined : { last, ended: ended === 1, alive: alive === 1 };
}

/** Gives the log of a dead instance its end. */
export async function bury(settings: RedisLogSettings, keys: RunKeys): Promise<void> {
  const { log, state, lease, wake } = keys;
  await settings.connection.run(buryScript, [log, state, lease], [settings.keepMs, wake]);
}

/**
 * SSE frames after a number. A log that is gone, and a Redis that stays away, end the stream without its last event: the
 * reader comes back and is told the rest.
 */
export async function* readLog(
  settings: RedisLogSettings,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { connection, leaseMs } = settings;
  const keys = runKeys(runId);
  const wake = await settings.wakes.join(keys.wake);
  let place = Math.max(0, after);
  let failures = 0;
  try {
    while (!signal.aborted) {
      const { count } = wake;
      let pollMs = leaseMs / 3;
      try {
        const entries = (await connection.command(
          ...["XRANGE", keys.log, `${place + 1}-0`, "+", "COUNT", pieceEvents],
        )) as [id: string, fields: [string, string]][];
        failures = 0;
        const last = entries.at(-1);
        if (last) {
          place = Number.parseInt(last[0], 10);
          yield entries.map(([, fields]) => fields[1]).join("");
          continue;
        }
        const look = await lookAt(settings, keys, true);
        if (!look) return;
        if (look.last > place) continue;
        if (look.ended) return;
        if (!look.alive) {
          await bury(settings, keys);
          continue;
        }
      } catch {
        if (++failures * retryMs > leaseMs) return;
        pollMs = retryMs;
      }
      await wake.changed(count, pollMs, signal);
    }
  } finally {
    wake.leave();
  }
}
