/** A model for tests: it answers each request with the next item of a script, through the real event stream. */

import { AssistantMessageEventStream } from "../../ai/event-stream.ts";
import type {
  AssistantContent,
  AssistantMessage,
  Model,
  SimpleStreamOptions,
  ToolCall,
  TranscriptContext,
} from "../../ai/types.ts";
import { emptyUsage } from "../../ai/usage.ts";
import type { StreamFn } from "../types.ts";

export interface ScriptedAnswer extends Partial<AssistantMessage> {
  /** How the events end: with `done` or `error`, with no terminal event, with an exception, or never. */
  ending?: "terminal" | "none" | "throws" | "never";
  withoutStart?: boolean;
  /** After the blocks, before the end. */
  beforeEnd?: (options: SimpleStreamOptions) => void | Promise<void>;
}

export interface ScriptedRequest {
  model: Model;
  context: TranscriptContext;
  /** The messages at the time of the request; the context itself may grow. */
  messages: TranscriptContext["messages"];
  options: SimpleStreamOptions;
}

/** What a scripted model was asked, and the stream function that it answers by. */
export interface ScriptedModel {
  streamFn: StreamFn;
  requests: ScriptedRequest[];
}

export const testModel: Model = {
  id: "scripted-1",
  name: "Scripted",
  api: "scripted",
  provider: "test",
  baseUrl: "http://localhost",
  reasoning: true,
  input: ["text"],
  contextWindow: 100_000,
  maxTokens: 4_000,
};

/** One answer per request; a function makes the answer for the nth request, from 0. A string is a text. */
export function scripted(
  script: (string | ScriptedAnswer)[] | ((request: number) => string | ScriptedAnswer),
): ScriptedModel {
  const requests: ScriptedRequest[] = [];
  const streamFn: StreamFn = (model, context, options = {}) => {
    const number = requests.length;
    requests.push({ model, context, messages: [...context.messages], options });
    const answer = typeof script === "function" ? script(number) : script[number];
    if (answer === undefined) throw new Error(`No answer is scripted for request ${number + 1}.`);
    return play(typeof answer === "string" ? says(answer) : answer, options);
  };
  return { streamFn, requests };
}

export const says = (text: string, rest: ScriptedAnswer = {}): ScriptedAnswer => ({
  content: [{ type: "text", text }],
  stopReason: "stop",
  ...rest,
});

export const calls = (toolCalls: ToolCall[], rest: ScriptedAnswer = {}): ScriptedAnswer => ({
  content: toolCalls,
  stopReason: "toolUse",
  ...rest,
});

export const call = (id: string, name: string, args: Record<string, unknown> = {}): ToolCall => ({
  type: "toolCall",
  id,
  name,
  arguments: args,
});

function play(answer: ScriptedAnswer, options: SimpleStreamOptions): AssistantMessageEventStream {
  const { ending = "terminal", withoutStart, beforeEnd, ...fields } = answer;
  const stream = new AssistantMessageEventStream();
  const stopReason = fields.stopReason ?? "stop";
  const message: AssistantMessage = {
    role: "assistant",
    api: testModel.api,
    provider: testModel.provider,
    model: testModel.id,
    usage: emptyUsage(),
    timestamp: 1,
    ...fields,
    stopReason: "pending",
    content: [],
  };
  const run = async (): Promise<void> => {
    if (!withoutStart) stream.push({ type: "start", partial: message });
    for (const block of fields.content ?? []) pushBlock(stream, message, block);
    await beforeEnd?.(options);
    message.stopReason = stopReason;
    if (ending === "never") return;
    if (ending === "none") stream.end(message);
    else if (stopReason === "error" || stopReason === "aborted") {
      stream.push({ type: "error", reason: stopReason, error: message });
    } else if (stopReason !== "pending") {
      stream.push({ type: "done", reason: stopReason, message });
    } else stream.end(message);
  };
  void run();
  return ending === "throws" ? throwingAfter(stream) : stream;
}

/** A stream from elsewhere whose iteration breaks after the events that are there. */
function throwingAfter(stream: AssistantMessageEventStream): AssistantMessageEventStream {
  const inner = stream[Symbol.asyncIterator]();
  stream[Symbol.asyncIterator] = () => ({
    next: async () => {
      const next = await inner.next();
      const isTerminal = next.value?.type === "done" || next.value?.type === "error";
      if (next.done || isTerminal) throw new Error("socket closed");
      return next;
    },
  });
  return stream;
}

function pushBlock(
  stream: AssistantMessageEventStream,
  partial: AssistantMessage,
  block: AssistantContent,
): void {
  const contentIndex = partial.content.length;
  switch (block.type) {
    case "text": {
      const live = { ...block, text: "" };
      partial.content.push(live);
      stream.push({ type: "text_start", contentIndex, partial });
      live.text = block.text;
      stream.push({ type: "text_delta", contentIndex, delta: block.text, partial });
      stream.push({ type: "text_end", contentIndex, content: block.text, partial });
      break;
    }
    case "thinking": {
      const live = { ...block, thinking: "" };
      partial.content.push(live);
      stream.push({ type: "thinking_start", contentIndex, partial });
      live.thinking = block.thinking;
      stream.push({ type: "thinking_delta", contentIndex, delta: block.thinking, partial });
      stream.push({ type: "thinking_end", contentIndex, content: block.thinking, partial });
      break;
    }
    case "toolCall": {
      const live = { ...block, arguments: {} };
      partial.content.push(live);
      stream.push({ type: "toolcall_start", contentIndex, partial });
      live.arguments = block.arguments;
      const delta = JSON.stringify(block.arguments);
      stream.push({ type: "toolcall_delta", contentIndex, delta, partial });
      stream.push({ type: "toolcall_end", contentIndex, toolCall: live, partial });
      break;
    }
  }
}
