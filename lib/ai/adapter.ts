import { failureOf, ProviderError } from "./errors.ts";
import { AssistantMessageEventStream } from "./event-stream.ts";
import { MessageBuilder } from "./message-builder.ts";
import { silentOverflow } from "./overflow.ts";
import { AbortedError } from "./request-guard.ts";
import { type Attempt, type SentRequest, sendWithRetry } from "./send.ts";
import { parseEventData, readServerEvents, type ServerEvent } from "./sse.ts";
import type {
  AssistantMessage,
  DoneReason,
  Model,
  StreamOptions,
  TranscriptContext,
} from "./types.ts";
import { emptyUsage } from "./usage.ts";

/** Reads one vendor stream: each parsed event goes in, and comes out of the builder as ours. */
export interface Decoder {
  /** Throws what the vendor reports as an error. */
  event(event: unknown, name: string | undefined): void;
  /** Whether the vendor has said its last word; nothing more is read then. */
  readonly complete: boolean;
  /** Whether the answer is whole although the connection may still be open. */
  readonly finishable: boolean;
  /** After the last event: closes blocks and sets the stop reason. Throws when the vendor's terminal event is missing. */
  finish(): void;
}

/** What makes an adapter: how a request is built and sent, and how its stream is read. */
export interface AdapterRooms<TOptions extends StreamOptions> {
  /** Transcript and options to the vendor's request body. Throws when it cannot be built. */
  buildRequest(model: Model, context: TranscriptContext, options: TOptions): unknown;
  /** Sends through the vendor's SDK (its own retries off) and gives the raw response. */
  send(request: unknown, model: Model, options: TOptions, attempt: Attempt): Promise<Response>;
  createDecoder(
    builder: MessageBuilder,
    model: Model,
    options: TOptions,
    request: unknown,
    response: Response,
  ): Decoder;
}

/** Silence after which a request is given up when the caller sets no `timeoutMs`. */
const defaultTimeoutMs = 600_000;

/** A message of which nothing has arrived. */
export function pendingMessage(model: Model): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: emptyUsage(),
    stopReason: "pending",
    timestamp: Date.now(),
  };
}

/** Makes a message one that failed with `error`, keeping what it holds. Aborted if and only if the signal is (P-203). */
export function failMessage(
  message: AssistantMessage,
  error: unknown,
  options: { signal?: AbortSignal; apiKey?: string; attempt?: number } = {},
): AssistantMessage {
  const aborted = options.signal?.aborted ?? false;
  const failure = failureOf(aborted ? new AbortedError() : error, options);
  if (aborted && failure.diagnostic.details) failure.diagnostic.details.class = "aborted";
  message.stopReason = aborted ? "aborted" : "error";
  message.errorMessage = failure.errorMessage;
  message.diagnostics = [...(message.diagnostics ?? []), failure.diagnostic];
  return message;
}

/** Runs one request through an adapter's rooms. The stream never rejects: failures are events. */
export function runAdapter<TOptions extends StreamOptions>(
  rooms: AdapterRooms<TOptions>,
  model: Model,
  context: TranscriptContext,
  options: TOptions,
): AssistantMessageEventStream {
  const message = pendingMessage(model);
  const stream = new AssistantMessageEventStream();
  void run(rooms, model, context, options, message, stream);
  return stream;
}

async function run<TOptions extends StreamOptions>(
  rooms: AdapterRooms<TOptions>,
  model: Model,
  context: TranscriptContext,
  options: TOptions,
  message: AssistantMessage,
  stream: AssistantMessageEventStream,
): Promise<void> {
  let sent: SentRequest | undefined;
  try {
    if (options.signal?.aborted) throw new AbortedError();
    let request = rooms.buildRequest(model, context, options);
    const replaced = await options.onPayload?.(request, model);
    if (replaced !== undefined) request = replaced;
    sent = await sendWithRetry((attempt) => rooms.send(request, model, options, attempt), model, {
      ...options,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    });
    await options.onResponse?.(
      { status: sent.response.status, headers: Object.fromEntries(sent.response.headers) },
      model,
    );
    const builder = new MessageBuilder(message, stream);
    const decoder = rooms.createDecoder(builder, model, options, request, sent.response);
    builder.start();
    await decode(sent, decoder, model, options);
    decoder.finish();
    if (options.signal?.aborted) throw new AbortedError();
    // The guard is against an adapter that forgets: a message never ends as pending (P-010).
    if (message.stopReason === "pending" || message.stopReason === "error") {
      throw new ProviderError("The answer ended without a stop reason.", {
        errorClass: "ended-early",
      });
    }
    const overflow = silentOverflow(model, message);
    if (overflow) message.diagnostics = [...(message.diagnostics ?? []), overflow];
    stream.push({ type: "done", reason: message.stopReason as DoneReason, message });
  } catch (error) {
    failMessage(message, error, {
      signal: options.signal,
      apiKey: options.apiKey,
      attempt: sent?.attempt,
    });
    const reason = message.stopReason === "aborted" ? "aborted" : "error";
    stream.push({ type: "error", reason, error: message });
  } finally {
    sent?.guard.release();
    stream.end();
  }
}

async function decode(
  sent: SentRequest,
  decoder: Decoder,
  model: Model,
  options: StreamOptions,
): Promise<void> {
  const hook = options.onProviderStreamEvent;
  const endsWell = (error: unknown): boolean => isGoodEnd(error, decoder, options);
  if (!hook) {
    await readServerEvents(sent.response, sent.guard, {
      event({ name, data }) {
        for (const event of eventValues(data)) decoder.event(event, name);
      },
      wantsMore: () => !decoder.complete,
      endsWell,
    });
    return;
  }
  let waiting: ServerEvent[] = [];
  await readServerEvents(sent.response, sent.guard, {
    event: (event) => void waiting.push(event),
    async wantsMore() {
      const ready = waiting;
      waiting = [];
      for (const { data, name, chunk } of ready) {
        for (const event of eventValues(data)) {
          if (event !== doneMark) await hook(event, model, chunk);
          decoder.event(event, name);
        }
      }
      return !decoder.complete;
    },
    endsWell,
  });
}

const doneMark = "[DONE]";

function eventValues(data: string): unknown[] {
  return data === doneMark ? [doneMark] : parseEventData(data);
}

/** Some hosts say all, and then leave the connection open without the last marker, or break it off. */
function isGoodEnd(error: unknown, decoder: Decoder, options: StreamOptions): boolean {
  return decoder.finishable && !options.signal?.aborted && !(error instanceof ProviderError);
}
