import { redactHeaders, redactUrl } from "@/lib/ai/redact";
import type { SimpleStreamOptions } from "@/lib/ai/types";
import type { RunWriter } from "./run-writer";

type Hooks = Pick<
  SimpleStreamOptions,
  "onPayload" | "onRequest" | "onResponse" | "onRetry" | "onProviderStreamEvent"
>;

/** Writes down what went to the vendor and what came back, beside the run's own events. */
export class WireRecorder {
  private turn = 0;
  private attempt = 1;
  private payload: { value: unknown } | undefined;
  private lastProviderSeq = -1;

  constructor(
    private readonly writer: RunWriter,
    private readonly recordsWire: boolean,
  ) {}

  /** A turn began: what follows belongs to it. */
  turnStarted(): void {
    this.turn++;
    this.lastProviderSeq = -1;
  }

  /** The number of the provider event that a message record rests on, -1 for none; undefined when that is not recorded. */
  get cause(): number | undefined {
    return this.recordsWire ? this.lastProviderSeq : undefined;
  }

  get hooks(): Hooks {
    const onRetry: Hooks["onRetry"] = (notice) => {
      void this.writer.append({ type: "provider_retry", turn: this.turn, ...notice });
    };
    if (!this.recordsWire) return { onRetry };
    return {
      onRetry,
      onPayload: (payload) => {
        this.payload = { value: payload };
      },
      onRequest: ({ method, url, headers, attempt }) => {
        this.attempt = attempt;
        this.lastProviderSeq = -1;
        const sent = this.payload;
        // A retry sends the same again: it is written down once.
        this.payload = undefined;
        void this.writer.append({
          type: "provider_request",
          turn: this.turn,
          attempt,
          method,
          url: redactUrl(url),
          headers: redactHeaders(headers),
          ...(sent ? { payload: sent.value } : {}),
        });
      },
      onResponse: ({ status, headers }) => {
        void this.writer.append({
          type: "provider_response",
          turn: this.turn,
          attempt: this.attempt,
          status,
          headers: redactHeaders(headers),
        });
      },
      onProviderStreamEvent: async (event, _model, chunk) => {
        // The adapter waits here, so whatever the event before caused has been written when this one is.
        await eventLoopTurn();
        await this.writer.append({
          type: "provider_event",
          turn: this.turn,
          attempt: this.attempt,
          chunk,
          event,
        });
        this.lastProviderSeq = this.writer.lastSeq;
      },
    };
  }
}

const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
