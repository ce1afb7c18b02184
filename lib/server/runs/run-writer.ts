import type { AgentMessage } from "@/lib/agent/types";
import { redactText } from "@/lib/ai/redact";
import type { RunEvent, RunEventBody } from "@/lib/run/events";
import { deltaLength, joinDeltas } from "./join-deltas";
import type { RunLog } from "./log";

/** Characters of one run's log. Past it the run is stopped; past half of it the vendor's own events are left out. */
const defaultMaxChars = 64 * 1024 * 1024;

/** Ms between two deltas on the log at least, one frame of a screen: nobody can see more of them. */
export const defaultDeltaWindowMs = 16;

interface Held {
  body: RunEventBody;
  cause: number | undefined;
  t: number;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Gives each event its number and time and sees that no key is in it. Events that would make the log too large are left
 * out before they get a number, so a log never has a gap.
 *
 * A delta that comes sooner after another than a window is held until the window is over, and what continues it meanwhile
 * is joined to it before it gets a number. Whatever else happens sends it first, so the order stays.
 */
export class RunWriter {
  private readonly startedAt: number;
  private seq = 0;
  private full = false;
  private held: Held | undefined;
  private lastDeltaAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: RunLog,
    private readonly secrets: readonly string[] = [],
    private readonly onFull: () => void = () => {},
    private readonly maxChars = defaultMaxChars,
    private readonly now: () => number = () => performance.now(),
    private readonly deltaWindowMs = defaultDeltaWindowMs,
  ) {
    this.startedAt = now();
  }

  get ended(): boolean {
    return this.log.ended;
  }

  get lastSeq(): number {
    return this.seq;
  }

  /** @param cause number of the provider event behind a message record */
  append(body: RunEventBody, cause?: number): void | Promise<void> {
    if (this.log.ended || this.isTooMuch(body)) return;
    const at = this.now();
    const t = Math.round((at - this.startedAt) * 100) / 100;
    if (deltaLength(body) === undefined) {
      void this.sendHeld();
      return this.number(body, cause, t);
    }
    const { held } = this;
    const joined = held && held.cause === cause ? joinDeltas(held.body, body) : undefined;
    if (held && joined) {
      held.body = joined;
      held.t = t;
      return;
    }
    void this.sendHeld();
    const early = this.lastDeltaAt + this.deltaWindowMs - at;
    if (early > 0) {
      const timer = setTimeout(() => void this.sendHeld(), early);
      this.held = { body, cause, t, timer };
      return;
    }
    this.lastDeltaAt = at;
    return this.number(body, cause, t);
  }

  private sendHeld(): void | Promise<void> {
    const { held } = this;
    if (!held) return;
    clearTimeout(held.timer);
    this.held = undefined;
    this.lastDeltaAt = this.now();
    return this.number(held.body, held.cause, held.t);
  }

  private number(body: RunEventBody, cause: number | undefined, t: number): void | Promise<void> {
    if (this.log.ended) return;
    // Filled in order: a reader that looks at the text sees number, time and type first.
    const event = {
      seq: ++this.seq,
      t,
      ...(cause === undefined ? {} : { cause }),
      ...this.withoutSecrets(body),
    } as RunEvent;
    return this.log.append(event);
  }

  private isTooMuch(body: RunEventBody): boolean {
    const isWire = body.type.startsWith("provider_") && body.type !== "provider_retry";
    if (isWire && this.log.size > this.maxChars / 2) return true;
    const grows = body.type === "message_update" || body.type === "tool_execution_update";
    const size = this.log.size + (this.held ? (deltaLength(this.held.body) ?? 0) : 0);
    if (!grows || size <= this.maxChars) return false;
    if (!this.full) {
      this.full = true;
      this.onFull();
    }
    return true;
  }

  /**
   * Vendors repeat a wrong key in their errors. Failures and the vendor's own records are cleaned of the key and of
   * anything in a key's shape; the text of a message stays as it is but for a key too long to be a word.
   */
  private withoutSecrets(body: RunEventBody): RunEventBody {
    switch (body.type) {
      case "provider_retry":
      case "provider_response":
      case "provider_event":
      case "provider_request":
        return this.scrub(body, this.secrets);
      case "message_end":
      case "turn_end":
        return this.scrub({ ...body, message: this.cleanFailure(body.message) }, this.longSecrets);
      case "agent_end":
        return this.scrub(
          { ...body, messages: body.messages.map((message) => this.cleanFailure(message)) },
          this.longSecrets,
        );
      // One of thousands: the whole message is looked at when it ends.
      case "message_update":
        return body;
      default:
        return this.scrub(body, this.longSecrets);
    }
  }

  private get longSecrets(): string[] {
    return this.secrets.filter((secret) => secret.length >= 20);
  }

  private cleanFailure(message: AgentMessage): AgentMessage {
    if (message.role !== "assistant") return message;
    const cleaned = { ...message };
    if (cleaned.errorMessage !== undefined) {
      cleaned.errorMessage = this.secrets.reduce(redactText, cleaned.errorMessage);
    }
    if (cleaned.diagnostics) cleaned.diagnostics = this.scrub(cleaned.diagnostics, this.secrets);
    return cleaned;
  }

  private scrub<T>(value: T, secrets: readonly string[]): T {
    if (secrets.length === 0) return value;
    const text = JSON.stringify(value);
    let cleaned = text;
    for (const secret of secrets) {
      if (secret.length < 6) continue;
      cleaned = cleaned.split(JSON.stringify(secret).slice(1, -1)).join("[redacted]");
    }
    return cleaned === text ? value : (JSON.parse(cleaned) as T);
  }
}
