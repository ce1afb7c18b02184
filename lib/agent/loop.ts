/** The agent loop's entry points: a run from prompts, and a run that goes on from where a transcript ends. */

import { EventStream } from "../ai/event-stream.ts";
import { isTurnLimitMessage } from "./closing-message.ts";
import { Run } from "./run.ts";
import type {
  AgentContext,
  AgentEvent,
  AgentEventSink,
  AgentLoopConfig,
  AgentMessage,
} from "./types.ts";

/**
 * Runs the loop on new messages. `emit` is awaited for each event; one that throws loses the event and nothing else.
 * Resolves to the messages that were added, the prompts included; never rejects and, once `signal` is aborted, ends
 * within the config's grace time.
 */
export function runAgentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal: AbortSignal = neverAborted(),
): Promise<AgentMessage[]> {
  return new Run(context, config, emit, signal).start(prompts);
}

/**
 * Runs the loop on the transcript as it is, which must end where a model can answer. Rejects at once when it does not;
 * otherwise as `runAgentLoop`.
 */
export async function runAgentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  emit: AgentEventSink,
  signal: AbortSignal = neverAborted(),
): Promise<AgentMessage[]> {
  assertContinuable(context.messages);
  return new Run(context, config, emit, signal).start([]);
}

export type AgentEventStream = EventStream<AgentEvent, AgentMessage[]>;

/** `runAgentLoop` as a stream of events, whose result is the new messages. */
export function agentLoop(
  prompts: AgentMessage[],
  context: AgentContext,
  config: AgentLoopConfig,
  signal?: AbortSignal,
): AgentEventStream {
  return streamOf((emit) => runAgentLoop(prompts, context, config, emit, signal));
}

/** `runAgentLoopContinue` as a stream of events. Throws at once when there is nothing to answer (L-080). */
export function agentLoopContinue(
  context: AgentContext,
  config: AgentLoopConfig,
  signal?: AbortSignal,
): AgentEventStream {
  assertContinuable(context.messages);
  return streamOf((emit) => runAgentLoopContinue(context, config, emit, signal));
}

/** Whether a model can answer the transcript as it ends. */
export function canContinue(messages: AgentMessage[]): boolean {
  const last = messages.at(-1);
  if (!last) return false;
  if (last.role !== "assistant") return true;
  return last.endTurn === false || isTurnLimitMessage(last);
}

function assertContinuable(messages: AgentMessage[]): void {
  if (messages.length === 0) throw new Error("There is no message to continue from.");
  if (!canContinue(messages)) {
    throw new Error("The last message is an answer: send a message to go on from it.");
  }
}

function streamOf(run: (emit: AgentEventSink) => Promise<AgentMessage[]>): AgentEventStream {
  const stream: AgentEventStream = new EventStream<AgentEvent, AgentMessage[]>(
    (event) => event.type === "agent_end",
    (event) => (event.type === "agent_end" ? event.messages : []),
    () => [],
  );
  run((event) => stream.push(event)).then(
    (messages) => stream.end(messages),
    () => stream.end(),
  );
  return stream;
}

const neverAborted = (): AbortSignal => new AbortController().signal;
