/** What the loop's tests share: a run with its events, and tools that behave as told. */

import type { Message, TextContent, UserMessage } from "../../ai/types.ts";
import { runAgentLoop, runAgentLoopContinue } from "../loop.ts";
import type {
  AgentContext,
  AgentEvent,
  AgentLoopConfig,
  AgentMessage,
  AgentTool,
  AgentToolResult,
} from "../types.ts";
import { eventNames } from "./event-names.ts";
import { type ScriptedModel, testModel } from "./scripted-stream.ts";

export const user = (text: string): UserMessage => ({ role: "user", content: text, timestamp: 1 });

export const textResult = (text: string, rest: Partial<AgentToolResult> = {}): AgentToolResult => ({
  content: [{ type: "text", text }],
  ...rest,
});

export function tool(
  name: string,
  execute: AgentTool["execute"] = async () => textResult(`${name} done`),
  rest: Partial<AgentTool> = {},
): AgentTool {
  return {
    name,
    label: name,
    description: `Does ${name}.`,
    parameters: { type: "object" },
    execute,
    ...rest,
  };
}

export interface LoopRun {
  /** In the notation of `eventNames`. */
  order: string;
  events: AgentEvent[];
  messages: AgentMessage[];
}

export interface LoopSetup extends Partial<AgentLoopConfig> {
  model?: AgentLoopConfig["model"];
  script: ScriptedModel;
  tools?: AgentTool[];
  prompts?: AgentMessage[];
  /** Goes on from these instead of starting with prompts. */
  from?: AgentMessage[];
  signal?: AbortSignal;
  onEvent?: (event: AgentEvent) => void | Promise<void>;
}

/** Runs the loop on "hi" (or the given prompts) and collects what it tells. */
export async function runLoop(setup: LoopSetup): Promise<LoopRun> {
  const { script, tools = [], prompts = [user("hi")], from, signal, onEvent, ...config } = setup;
  const events: AgentEvent[] = [];
  const context: AgentContext = { messages: from ?? [], tools };
  const loopConfig: AgentLoopConfig = { model: testModel, streamFn: script.streamFn, ...config };
  const emit = (event: AgentEvent): void | Promise<void> => {
    events.push(event);
    return onEvent?.(event);
  };
  const messages = from
    ? await runAgentLoopContinue(context, loopConfig, emit, signal)
    : await runAgentLoop(prompts, context, loopConfig, emit, signal);
  return { order: eventNames(events), events, messages };
}

/** The text of a message, for assertions. */
export function textOf(message: AgentMessage | Message | undefined): string {
  if (!message || message.role === "custom") return "";
  if (typeof message.content === "string") return message.content;
  return message.content
    .filter((block): block is TextContent => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}

/** The results of the tool calls, as `id: text`, errors with `!`. */
export function resultsOf(messages: AgentMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === "toolResult"
      ? [`${message.toolCallId}${message.isError ? "!" : ""}: ${textOf(message)}`]
      : [],
  );
}

/** A promise that a test settles by hand. */
export function gate<T = void>(): { wait: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => {};
  const wait = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { wait, open };
}
