import type { AgentMessage } from "@/lib/agent/types";
import { redactText } from "@/lib/ai/redact";
import type { RunEvent, RunEventBody } from "@/lib/run/events";
import type { RunLog } from "./log";

/** Characters of one run's log. Past it the run is stopped; past half of it the vendor's own events are left out. */
const defaultMaxChars = 64 * 1024 * 1024;

/**
 * Gives each event its number and time and sees that no key is in it. Events that would make the log too large are left
 * out before they get a number, so a log never has a gap.
 */
export class RunWriter {
  private readonly startedAt: number;
  private seq = 0;
  private full = false;

  constructor(
    private readonly log: RunLog,
    private readonly secrets: readonly string[] = [],
    private readonly onFull: () => void = () => {},
    private readonly maxChars = defaultMaxChars,
    private readonly now: () => number = () => performance.now(),
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
    // Filled in order: a reader that looks at the text sees number, time and type first.
    const event = {
      seq: ++this.seq,
      t: Math.round((this.now() - this.startedAt) * 100) / 100,
      ...(cause === undefined ? {} : { cause }),
      ...this.withoutSecrets(body),
    } as RunEvent;
    return this.log.append(event);
  }

  private isTooMuch(body: RunEventBody): boolean {
    const isWire = body.type.startsWith("provider_") && body.type !== "provider_retry";
    if (isWire && this.log.size > this.maxChars / 2) return true;
    const grows = body.type === "message_update" || body.type === "tool_execution_update";
    if (!grows || this.log.size <= this.maxChars) return false;
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
