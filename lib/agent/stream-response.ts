/** One model response: the request, its events as message events, and the finished message. */

import { normalizeContext } from "../ai/transcript.ts";
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Model,
  SimpleStreamOptions,
  ThinkingLevel,
  TranscriptContext,
} from "../ai/types.ts";
import { AbandonedError, unlessAborted, withGrace } from "./abort.ts";
import { ABORTED_TEXT, abortedMessage, brokenOff, closingMessage } from "./closing-message.ts";
import { describeThrown } from "./describe-thrown.ts";
import type { Emitter } from "./emitter.ts";
import { toLlmMessages } from "./llm-messages.ts";
import { repairMessage } from "./repair-message.ts";
import type { AgentContext, AgentLoopConfig } from "./types.ts";

export interface ResponseRequest {
  config: AgentLoopConfig;
  context: AgentContext;
  model: Model;
  thinkingLevel: ThinkingLevel;
  emitter: Emitter;
  signal: AbortSignal;
  abortGraceMs: number;
}

/**
 * Asks the model once. The context's last message is the live partial while it grows and the final message afterwards
 * (L-007). Whatever goes wrong in the stream is in the message; only a hook that throws makes this reject, before any
 * event.
 */
export async function streamResponse(request: ResponseRequest): Promise<AssistantMessage> {
  const live = new LiveResponse(request);
  let final: AssistantMessage;
  if (request.signal.aborted) {
    final = abortedMessage(request.model, request.thinkingLevel);
  } else {
    const prepared = await prepare(request);
    final = prepared ? await receive(request, live, prepared) : abortedBy(request);
  }
  return live.finish(final);
}

const abortedBy = (request: ResponseRequest): AssistantMessage =>
  abortedMessage(request.model, request.thinkingLevel);

interface Prepared {
  transcript: TranscriptContext;
  options: SimpleStreamOptions;
}

/** What is sent, or undefined when the run was aborted meanwhile. */
async function prepare(request: ResponseRequest): Promise<Prepared | undefined> {
  const { config, context, model, thinkingLevel, signal } = request;
  try {
    const messages = config.transformContext
      ? await unlessAborted(config.transformContext([...context.messages], signal), signal)
      : [...context.messages];
    const convert = config.convertToLlm ?? toLlmMessages;
    const transcript = normalizeContext({
      messages: await unlessAborted(convert(messages), signal),
    });
    const apiKey =
      (await unlessAborted(config.getApiKey?.(model.provider), signal)) ??
      config.apiKey ??
      config.streamOptions?.apiKey;
    const options: SimpleStreamOptions = { ...config.streamOptions, signal };
    if (apiKey !== undefined) options.apiKey = apiKey;
    if (thinkingLevel !== "off") options.reasoning = thinkingLevel;
    return { transcript, options };
  } catch (error) {
    if (error instanceof AbandonedError) return undefined;
    throw error;
  }
}

async function receive(
  request: ResponseRequest,
  live: LiveResponse,
  { transcript, options }: Prepared,
): Promise<AssistantMessage> {
  const { config, model, thinkingLevel, signal, abortGraceMs } = request;
  try {
    const answer = async (): Promise<AssistantMessage> =>
      live.consume(await config.streamFn(model, transcript, options));
    return await withGrace(answer(), signal, abortGraceMs);
  } catch (error) {
    const abandoned = error instanceof AbandonedError;
    const stopReason = abandoned || signal.aborted ? "aborted" : "error";
    const errorMessage = stopReason === "aborted" ? ABORTED_TEXT : describeThrown(error);
    if (live.partial) return brokenOff(live.partial, stopReason, errorMessage);
    return closingMessage({
      model,
      thinkingLevel,
      stopReason,
      errorMessage,
      errorClass: stopReason === "aborted" ? "aborted" : "unknown",
    });
  } finally {
    live.close();
  }
}

/** The message of one response on its way: tells its events and keeps it in the context. */
class LiveResponse {
  /** The adapter's own live object, once there is a `start`. */
  partial: AssistantMessage | undefined;
  private readonly index: number;
  private closed = false;

  constructor(private readonly request: ResponseRequest) {
    this.index = request.context.messages.length;
  }

  async consume(stream: AssistantMessageEventStream): Promise<AssistantMessage> {
    for await (const event of stream) {
      // A stream that was given up may go on; nobody listens any more.
      if (this.closed) break;
      if (event.type === "done") return event.message;
      if (event.type === "error") return event.error;
      await this.take(event);
    }
    return stream.result();
  }

  close(): void {
    this.closed = true;
  }

  async finish(answer: AssistantMessage): Promise<AssistantMessage> {
    const message = repairMessage(answer, this.request.context.messages.slice(0, this.index));
    message.thinkingLevel = this.request.thinkingLevel;
    this.request.context.messages[this.index] = message;
    if (!this.partial) await this.request.emitter.emit({ type: "message_start", message });
    await this.request.emitter.emit({ type: "message_end", message });
    return message;
  }

  private async take(
    event: Exclude<AssistantMessageEvent, { type: "done" | "error" }>,
  ): Promise<void> {
    const begun = this.partial !== undefined;
    if (!begun && event.type !== "start") return;
    this.partial = event.partial;
    this.request.context.messages[this.index] = event.partial;
    // A shallow copy: constant work for a delta, however long the answer already is.
    const message = { ...event.partial };
    await this.request.emitter.emit(
      begun
        ? { type: "message_update", message, assistantMessageEvent: event }
        : { type: "message_start", message },
    );
  }
}
