/**
 * One tool call (L-060): abort check, lookup, prepareArguments, validation, beforeToolCall, abort check, execute,
 * afterToolCall. No step of it throws; each failure is an error result for the model.
 */

import type { AssistantMessage, ToolCall } from "../ai/types.ts";
import { AbandonedError, startTimer, unlessAborted, whenAborted, withGrace } from "./abort.ts";
import { describeThrown } from "./describe-thrown.ts";
import { DEFAULT_MAX_OUTPUT_CHARS, limitOutput } from "./limit-output.ts";
import { amendOutcome, type CallOutcome, failedCall, readToolResult } from "./tool-result.ts";
import type { AgentContext, AgentLoopConfig, AgentTool, ToolUpdate } from "./types.ts";
import { validateArguments } from "./validate-arguments.ts";

export const DEFAULT_ABORT_GRACE_MS = 500;
const DEFAULT_TOOL_TIMEOUT_MS = 120_000;
const NAME_SHOWN_CHARS = 100;

/** What the calls of one message have in common. */
export interface CallScope {
  config: Pick<AgentLoopConfig, "beforeToolCall" | "afterToolCall" | "abortGraceMs">;
  context: AgentContext;
  assistantMessage: AssistantMessage;
  signal: AbortSignal;
}

export interface PreparedCall {
  call: ToolCall;
  tool: AgentTool;
  /** Validated; the call in the transcript keeps the model's own (L-062). */
  args: Record<string, unknown>;
}

export type Preparation =
  | { ready: true; prepared: PreparedCall }
  | { ready: false; outcome: CallOutcome };

const immediate = (outcome: CallOutcome): Preparation => ({
  ready: false,
  outcome: { ...outcome, result: limitOutput(outcome.result, DEFAULT_MAX_OUTPUT_CHARS) },
});

/** All that comes before the tool runs. `onUpdate` tells of a wait for a person's approval (L-133). */
export async function prepareCall(
  call: ToolCall,
  scope: CallScope,
  onUpdate: ToolUpdate,
): Promise<Preparation> {
  if (scope.signal.aborted) return immediate(abortedBeforeRun());
  const tool = scope.context.tools.find((candidate) => candidate.name === call.name);
  if (!tool) return immediate(unknownTool(call, scope.context.tools));
  if (call.argumentsError !== undefined) {
    return immediate(
      failedCall(`The arguments for ${call.name} could not be read: ${call.argumentsError}`),
    );
  }
  try {
    const args = readArguments(tool, call);
    if (!args.ok) return immediate(failedCall(args.message));
    const refusal = await askBefore(call, args.args, scope, onUpdate);
    if (refusal) return immediate(refusal);
    return { ready: true, prepared: { call, tool, args: args.args } };
  } catch (error) {
    return immediate(scope.signal.aborted ? abortedBeforeRun() : failedCall(describeThrown(error)));
  }
}

function readArguments(tool: AgentTool, call: ToolCall): ReturnType<typeof validateArguments> {
  const raw = call.arguments ?? {};
  const prepared = tool.prepareArguments ? tool.prepareArguments(structuredClone(raw)) : raw;
  return validateArguments(tool, prepared);
}

async function askBefore(
  toolCall: ToolCall,
  args: Record<string, unknown>,
  { config, context, assistantMessage, signal }: CallScope,
  onUpdate: ToolUpdate,
): Promise<CallOutcome | undefined> {
  if (!config.beforeToolCall) return undefined;
  const decision = await unlessAborted(
    config.beforeToolCall({ assistantMessage, toolCall, args, context }, signal, onUpdate),
    signal,
  );
  if (!decision?.block) return undefined;
  const refusal = failedCall(decision.reason ?? "This call was not allowed.", "denied");
  if (decision.terminate) refusal.result.terminate = true;
  return refusal;
}

/** Runs a prepared call. It always settles: a tool that ignores its signal is given up after a grace time (L-131). */
export async function executeCall(
  { call, tool, args }: PreparedCall,
  scope: CallScope,
  onUpdate: ToolUpdate,
): Promise<CallOutcome> {
  if (scope.signal.aborted) return abortedBeforeRun();
  const startedAt = performance.now();
  let outcome = await runTool(call, tool, args, scope, onUpdate);
  const durationMs = Math.max(0, Math.round(performance.now() - startedAt));
  outcome = await askAfter(call, args, scope, outcome);
  const maxChars = tool.maxOutputChars ?? DEFAULT_MAX_OUTPUT_CHARS;
  return { ...outcome, result: limitOutput(outcome.result, maxChars), durationMs };
}

async function runTool(
  call: ToolCall,
  tool: AgentTool,
  args: Record<string, unknown>,
  scope: CallScope,
  onUpdate: ToolUpdate,
): Promise<CallOutcome> {
  const limit = limitSignal(scope.signal, tool.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS);
  let settled = false;
  const updateWhileRunning: ToolUpdate = (partial) => {
    if (!settled) onUpdate(partial);
  };
  try {
    const execute = async (): Promise<unknown> =>
      tool.execute(call.id, args, limit.signal, updateWhileRunning);
    return readToolResult(await withGrace(execute(), limit.signal, graceOf(scope)));
  } catch (error) {
    return failureOfTool(error, scope.signal.aborted, limit);
  } finally {
    settled = true;
    limit.release();
  }
}

function failureOfTool(error: unknown, runAborted: boolean, limit: LimitedSignal): CallOutcome {
  const abandoned = error instanceof AbandonedError;
  const unknownEffect = abandoned
    ? " It did not stop when told to, so whether it took effect is not known."
    : "";
  if (limit.timedOut()) {
    return failedCall(`The tool ran longer than ${limit.seconds} s.${unknownEffect}`, "timeout");
  }
  if (runAborted) {
    const said = abandoned ? unknownEffect : ` ${describeThrown(error)}`;
    return failedCall(`Aborted while it was running.${said}`, "aborted");
  }
  return failedCall(describeThrown(error));
}

async function askAfter(
  toolCall: ToolCall,
  args: Record<string, unknown>,
  scope: CallScope,
  outcome: CallOutcome,
): Promise<CallOutcome> {
  const { config, context, assistantMessage, signal } = scope;
  if (!config.afterToolCall) return outcome;
  const { result, isError } = outcome;
  try {
    const changes = config.afterToolCall(
      { assistantMessage, toolCall, args, context, result, isError },
      signal,
    );
    return amendOutcome(outcome, await withGrace(changes, signal, graceOf(scope)));
  } catch (error) {
    return signal.aborted
      ? failedCall("Aborted before its result was ready.", "aborted")
      : failedCall(describeThrown(error));
  }
}

const graceOf = (scope: CallScope): number => scope.config.abortGraceMs ?? DEFAULT_ABORT_GRACE_MS;

const abortedBeforeRun = (): CallOutcome => failedCall("Aborted before it ran.", "aborted");

function unknownTool(call: ToolCall, tools: AgentTool[]): CallOutcome {
  const name = call.name.slice(0, NAME_SHOWN_CHARS).toWellFormed();
  const available =
    tools.length > 0
      ? `Available tools: ${tools.map((tool) => tool.name).join(", ")}.`
      : "No tools are available.";
  return failedCall(`There is no tool named "${name}". ${available}`);
}

interface LimitedSignal {
  signal: AbortSignal;
  seconds: number;
  timedOut: () => boolean;
  release: () => void;
}

/** A signal that aborts with `parent`, or by itself after `timeoutMs` (0: never). */
function limitSignal(parent: AbortSignal, timeoutMs: number): LimitedSignal {
  const controller = new AbortController();
  let timedOut = false;
  const unfollow = whenAborted(parent, () => controller.abort(parent.reason));
  const cancelTimer =
    timeoutMs > 0
      ? startTimer(timeoutMs, () => {
          timedOut = !controller.signal.aborted;
          controller.abort(new DOMException("The tool took too long.", "TimeoutError"));
        })
      : undefined;
  return {
    signal: controller.signal,
    seconds: timeoutMs / 1000,
    timedOut: () => timedOut,
    release: () => {
      unfollow();
      cancelTimer?.();
    },
  };
}

/** A call within a call (L-070): the same steps, no events, never rejects. */
export async function runToolCall(call: ToolCall, scope: CallScope): Promise<CallOutcome> {
  const silent: ToolUpdate = () => {};
  const preparation = await prepareCall(call, scope, silent);
  return preparation.ready ? executeCall(preparation.prepared, scope, silent) : preparation.outcome;
}
