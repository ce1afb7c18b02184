import { failMessage, pendingMessage } from "../../adapter.ts";
import { failureOf, ProviderError } from "../../errors.ts";
import { AssistantMessageEventStream } from "../../event-stream.ts";
import { MessageBuilder } from "../../message-builder.ts";
import { AbortedError } from "../../request-guard.ts";
import { type Attempt, sendWithRetry } from "../../send.ts";
import { getCurrentTools } from "../../transcript.ts";
import type {
  ApiImplementation,
  AssistantMessage,
  DeferredHandle,
  DoneReason,
  Model,
  ProviderRequestOptions,
  TranscriptContext,
} from "../../types.ts";
import { sendThroughOpenAI } from "../openai-client.ts";
import { ResponsesDecoder } from "./decoder.ts";
import {
  checkHandle,
  createHandle,
  type ReadingPlan,
  readingPlan,
  submittedAt,
} from "./deferred-handle.ts";
import { failureFromResponse } from "./errors.ts";
import { isLoose, type Loose, textOf } from "./loose.ts";
import type { OpenAIResponsesOptions } from "./options.ts";
import { buildRequest, planRequest, sessionHeaders } from "./request.ts";
import { callReader } from "./stream.ts";

const defaultTimeoutMs = 600_000;
const runningStatuses = new Set(["queued", "in_progress"]);

type FetchOptions = ProviderRequestOptions & { wait?: number };

/** Submits a request that the vendor answers in the background. The message ends at once, with a handle (P-301). */
export function submitDeferred(
  model: Model,
  context: TranscriptContext,
  options: OpenAIResponsesOptions,
): AssistantMessageEventStream {
  return runMessage(model, options, async (message, builder) => {
    const plan = planRequest(model, context);
    if (!plan.compat.supportsBackground) {
      throw new ProviderError(`${model.name} of ${model.provider} takes no deferred requests.`, {
        errorClass: "invalid-request",
      });
    }
    let body: unknown = buildRequest(model, context, options, plan);
    const replaced = await options.onPayload?.(body, model);
    if (replaced !== undefined) body = replaced;
    const response = await exchange(model, options, (attempt) =>
      sendThroughOpenAI(
        { method: "post", path: "/responses", body },
        model,
        options,
        attempt,
        sessionHeaders(plan.compat, options),
      ),
    );
    builder.start();
    const id = textOf(response.id);
    const status = textOf(response.status);
    if (status === "failed" || !id) throw failureFromResponse(response, status ?? "failed");
    if (options.thinkingLevel) message.thinkingLevel = options.thinkingLevel;
    if (options.reasoningEffort) message.providerThinkingLevel = options.reasoningEffort;
    const names = getCurrentTools(context.messages).map((tool) => tool.name);
    defer(
      message,
      createHandle(model, id, message.timestamp, options.deferred, plan, names),
      response,
    );
  });
}

/**
 * Asks for a submitted answer: the whole of it as the usual events, or `deferred` again while it is being made (P-302,
 * P-303). Asking again for a finished one gives the same.
 */
export const fetchDeferred: NonNullable<ApiImplementation["fetchDeferred"]> = (
  model,
  handle,
  options: FetchOptions = {},
) =>
  runMessage(model, options, async (message, builder) => {
    message.timestamp = submittedAt(handle) ?? message.timestamp;
    checkHandle(model, handle);
    const response = await poll(model, handle, options);
    builder.start();
    if (runningStatuses.has(String(response.status))) defer(message, handle, response);
    else decode(response, model, builder, readingPlan(handle));
  });

/** Stops a submitted answer. @throws when the handle is not this model's, has expired, or the vendor refuses (P-307) */
export const cancelDeferred: NonNullable<ApiImplementation["cancelDeferred"]> = async (
  model,
  handle,
  options = {},
) => {
  checkHandle(model, handle);
  const path = `/responses/${encodeURIComponent(handle.id)}/cancel` as const;
  try {
    await exchange(model, options, (attempt) =>
      sendThroughOpenAI({ method: "post", path }, model, options, attempt),
    );
  } catch (error) {
    const { errorMessage } = failureOf(error, { apiKey: options.apiKey });
    throw new ProviderError(errorMessage, { cause: error });
  }
};

/** Ends a message as one whose answer is fetched later. It has no usage of its own (P-313). */
function defer(message: AssistantMessage, handle: DeferredHandle, response: Loose): void {
  message.deferred = handle;
  message.responseId = handle.id;
  message.rawStopReason = textOf(response.status);
  message.stopReason = "deferred";
}

/** Reads a whole response as if it had streamed. */
function decode(response: Loose, model: Model, builder: MessageBuilder, plan: ReadingPlan): void {
  const reader = callReader(plan, () => String(response.id));
  const decoder = new ResponsesDecoder(builder, model, reader, undefined);
  decoder.event({ type: "response.done", response }, undefined);
  decoder.finish();
}

/** The response as it is, or as it is when it has ended or `wait` ms are over. */
async function poll(model: Model, handle: DeferredHandle, options: FetchOptions): Promise<Loose> {
  const path = `/responses/${encodeURIComponent(handle.id)}` as const;
  const until = performance.now() + (options.wait ?? 0);
  for (;;) {
    const response = await exchange(model, options, (attempt) =>
      sendThroughOpenAI({ method: "get", path }, model, options, attempt),
    );
    const left = until - performance.now();
    if (!runningStatuses.has(String(response.status)) || left <= 0) return response;
    await pause(Math.min(left, handle.pollAfterMs ?? 0), options.signal);
  }
}

/** One request whose answer is a JSON document. */
async function exchange(
  model: Model,
  options: ProviderRequestOptions,
  send: (attempt: Attempt) => Promise<Response>,
): Promise<Loose> {
  const { response, guard } = await sendWithRetry(send, model, {
    ...options,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
  });
  try {
    await options.onResponse?.(
      { status: response.status, headers: Object.fromEntries(response.headers) },
      model,
    );
    const document = parse(await guard.race(response.text()));
    if (!document) {
      throw new ProviderError("The host answered with something that is not a response.", {
        errorClass: "invalid-request",
      });
    }
    return document;
  } finally {
    guard.release();
  }
}

function parse(text: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLoose(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Runs what builds one message; whatever it throws is an event. */
function runMessage(
  model: Model,
  options: ProviderRequestOptions,
  build: (message: AssistantMessage, builder: MessageBuilder) => Promise<void>,
): AssistantMessageEventStream {
  const message = pendingMessage(model);
  const stream = new AssistantMessageEventStream();
  const run = async (): Promise<void> => {
    try {
      if (options.signal?.aborted) throw new AbortedError();
      await build(message, new MessageBuilder(message, stream));
      if (options.signal?.aborted) throw new AbortedError();
      stream.push({ type: "done", reason: message.stopReason as DoneReason, message });
    } catch (error) {
      failMessage(message, error, options);
      const reason = message.stopReason === "aborted" ? "aborted" : "error";
      stream.push({ type: "error", reason, error: message });
    }
    stream.end();
  };
  void run();
  return stream;
}

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new AbortedError());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
