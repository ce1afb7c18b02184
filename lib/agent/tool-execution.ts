/** The tool calls of one answer: side by side or one after another, with their events. Never rejects. */

import type { AssistantMessage, ToolCall, ToolResultMessage } from "../ai/types.ts";
import type { Emitter } from "./emitter.ts";
import { type CallScope, executeCall, type PreparedCall, prepareCall } from "./tool-call.ts";
import { type CallOutcome, failedCall, toolResultMessage } from "./tool-result.ts";
import type { AgentLoopConfig, ToolUpdate } from "./types.ts";

export interface BatchScope extends CallScope {
  config: CallScope["config"] & Pick<AgentLoopConfig, "toolExecution">;
  emitter: Emitter;
  /** Takes a result into the transcript; its events are told here. */
  append: (message: ToolResultMessage) => void;
}

export interface BatchResult {
  results: ToolResultMessage[];
  /** Every result of a batch that is not empty asked to end the run (L-063). */
  terminate: boolean;
}

export const toolCallsOf = (message: AssistantMessage): ToolCall[] =>
  message.content.filter((block): block is ToolCall => block.type === "toolCall");

export async function executeToolCalls(calls: ToolCall[], scope: BatchScope): Promise<BatchResult> {
  const inTurn =
    scope.config.toolExecution === "sequential" ||
    calls.some((call) => toolNamed(scope, call.name)?.execution === "sequential");
  return inTurn ? runInTurn(calls, scope) : runSideBySide(calls, scope);
}

/** Calls of an answer that its length limit cut off: their arguments may be half of what was meant (L-038). */
export async function refuseCutCalls(calls: ToolCall[], scope: BatchScope): Promise<BatchResult> {
  const batch = new Batch(scope);
  for (const call of calls) {
    await batch.start(call);
    await batch.end(call, cutOff());
    await batch.report(call);
  }
  return batch.result();
}

const cutOff = (): CallOutcome =>
  failedCall(
    "This call was not run: the answer reached its length limit, so the arguments may be incomplete. " +
      "Make the call again, with shorter arguments or in several steps.",
  );

const toolNamed = (scope: BatchScope, name: string) =>
  scope.context.tools.find((tool) => tool.name === name);

async function runInTurn(calls: ToolCall[], scope: BatchScope): Promise<BatchResult> {
  const batch = new Batch(scope);
  for (const call of calls) {
    const prepared = await batch.prepare(call);
    if (prepared) await batch.execute(prepared);
    await batch.report(call);
  }
  return batch.result();
}

async function runSideBySide(calls: ToolCall[], scope: BatchScope): Promise<BatchResult> {
  const batch = new Batch(scope);
  const prepared: PreparedCall[] = [];
  for (const call of calls) {
    const ready = await batch.prepare(call);
    if (ready) prepared.push(ready);
  }
  await Promise.all(prepared.map((ready) => batch.execute(ready)));
  for (const call of calls) await batch.report(call);
  return batch.result();
}

class Batch {
  private readonly outcomes = new Map<ToolCall, CallOutcome>();
  private readonly results: ToolResultMessage[] = [];

  constructor(private readonly scope: BatchScope) {}

  async start(call: ToolCall): Promise<void> {
    await this.scope.emitter.emit({
      type: "tool_execution_start",
      toolCallId: call.id,
      toolName: call.name,
      args: call.arguments,
    });
  }

  /** Starts a call and gets it ready; a call that cannot run ends here. */
  async prepare(call: ToolCall): Promise<PreparedCall | undefined> {
    await this.start(call);
    const preparation = await prepareCall(call, this.scope, this.updatesOf(call));
    if (preparation.ready) return preparation.prepared;
    await this.end(call, preparation.outcome);
    return undefined;
  }

  async execute(prepared: PreparedCall): Promise<void> {
    const { call } = prepared;
    await this.end(call, await executeCall(prepared, this.scope, this.updatesOf(call)));
  }

  async end(call: ToolCall, outcome: CallOutcome): Promise<void> {
    this.outcomes.set(call, outcome);
    await this.scope.emitter.emit({
      type: "tool_execution_end",
      toolCallId: call.id,
      toolName: call.name,
      result: outcome.result,
      isError: outcome.isError,
      ...(outcome.durationMs === undefined ? {} : { durationMs: outcome.durationMs }),
    });
  }

  /** Takes a call's result into the transcript. */
  async report(call: ToolCall): Promise<void> {
    const outcome = this.outcomes.get(call);
    if (!outcome) return;
    const message = toolResultMessage(call, outcome);
    this.results.push(message);
    this.scope.append(message);
    await this.scope.emitter.emit({ type: "message_start", message });
    await this.scope.emitter.emit({ type: "message_end", message });
  }

  result(): BatchResult {
    const outcomes = [...this.outcomes.values()];
    const terminate =
      outcomes.length > 0 && outcomes.every((outcome) => outcome.result.terminate === true);
    return { results: this.results, terminate };
  }

  /** The emitter keeps the order, so every update is told before the call's end. */
  private updatesOf(call: ToolCall): ToolUpdate {
    return (partialResult) => {
      if (this.outcomes.has(call)) return;
      void this.scope.emitter.emit({
        type: "tool_execution_update",
        toolCallId: call.id,
        toolName: call.name,
        args: call.arguments,
        partialResult,
      });
    };
  }
}
