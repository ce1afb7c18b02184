import { failMessage, pendingMessage } from "./adapter.ts";
import { AssistantMessageEventStream, type EventIterator } from "./event-stream.ts";
import type {
  ApiImplementation,
  AssistantMessage,
  AssistantMessageEvent,
  Model,
  ProviderRequestOptions,
} from "./types.ts";

/**
 * A stream at once, for a request whose preparation takes time. Events of the inner stream are forwarded in order; a setup
 * that throws, an inner stream that throws half-way and one that just ends each become one `error` event that keeps what
 * had arrived (P-115 to P-119).
 */
export function lazyStream(
  model: Model,
  setup: () => Promise<AssistantMessageEventStream> | AssistantMessageEventStream,
  options: Pick<ProviderRequestOptions, "signal" | "apiKey"> = {},
): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  void forward(stream, model, setup, options);
  return stream;
}

async function forward(
  stream: AssistantMessageEventStream,
  model: Model,
  setup: () => Promise<AssistantMessageEventStream> | AssistantMessageEventStream,
  options: Pick<ProviderRequestOptions, "signal" | "apiKey">,
): Promise<void> {
  let partial: AssistantMessage | undefined;
  try {
    // Nothing is begun that nobody waits for any more (P-260).
    options.signal?.throwIfAborted();
    const inner = await abortable(Promise.resolve().then(setup), options.signal);
    await forEachEvent(inner, (event) => {
      if (event.type !== "done" && event.type !== "error") partial = event.partial;
      stream.push(event);
    });
    if (!stream.done) {
      const missing = new Error("The stream ended without its last event.");
      stream.fail(failMessage(partial ?? pendingMessage(model), missing, options));
    }
    stream.end();
  } catch (error) {
    stream.fail(failMessage(partial ?? pendingMessage(model), error, options));
  }
}

/** Each event of a stream. Those of our own streams cost no promise on the way, of which a request has several. */
async function forEachEvent(
  events: AsyncIterable<AssistantMessageEvent>,
  take: (event: AssistantMessageEvent) => void,
): Promise<void> {
  const iterator: AsyncIterator<AssistantMessageEvent> &
    Partial<EventIterator<AssistantMessageEvent>> = events[Symbol.asyncIterator]();
  if (iterator.pour) return iterator.pour(take);
  for (;;) {
    const next = await iterator.next();
    if (next.done) return;
    take(next.value);
  }
}

/** The promise, or a rejection as soon as the signal aborts; what the promise does later is nobody's concern (P-261). */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) {
      promise.catch(() => {});
      stop();
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** An api whose module is loaded at its first request (P-125, P-126). */
export function lazyApi(
  load: () => Promise<ApiImplementation>,
  capabilities: { deferred?: boolean } = {},
): ApiImplementation {
  const implementation: ApiImplementation = {
    stream: (model, context, options) =>
      lazyStream(model, async () => (await load()).stream(model, context, options), options),
    streamSimple: (model, context, options) =>
      lazyStream(model, async () => (await load()).streamSimple(model, context, options), options),
  };
  if (capabilities.deferred) {
    implementation.fetchDeferred = (model, handle, options) =>
      lazyStream(
        model,
        async () => {
          const loaded = await load();
          if (!loaded.fetchDeferred) throw new Error(`${model.api} has no deferred answers.`);
          return loaded.fetchDeferred(model, handle, options);
        },
        options,
      );
    implementation.cancelDeferred = async (model, handle, options) => {
      const loaded = await load();
      if (!loaded.cancelDeferred) throw new Error(`${model.api} has no deferred answers.`);
      await loaded.cancelDeferred(model, handle, options);
    };
  }
  return implementation;
}
