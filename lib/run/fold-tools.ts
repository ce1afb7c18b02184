import type { AgentMessage } from "../agent/types";
import type { ToolCall } from "../ai/types";
import type { RunEvent } from "./events";
import type { ToolRun, ToolState } from "./fold";

type ToolEvent = Extract<
  RunEvent,
  {
    type:
      | "tool_execution_start"
      | "tool_execution_update"
      | "tool_execution_end"
      | "tool_approval_requested"
      | "tool_approval_decided";
  }
>;
type ToolRuns = Record<string, ToolRun>;

const isOver = (state: ToolState): boolean =>
  state === "done" || state === "error" || state === "aborted";

/** What becomes of the tool runs by one event about a tool. */
export function foldToolEvent(tools: ToolRuns, event: ToolEvent): ToolRuns {
  const known = runOf(tools, event.toolCallId);
  const change = (patch: Partial<ToolRun>): ToolRuns => ({
    ...tools,
    [event.toolCallId]: {
      toolCallId: event.toolCallId,
      toolName: "toolName" in event ? event.toolName : "",
      args: "args" in event ? event.args : {},
      state: "pending",
      ...known,
      ...patch,
    },
  });
  switch (event.type) {
    case "tool_execution_start": {
      const { toolCallId, toolName, args } = event;
      return { ...tools, [toolCallId]: { toolCallId, toolName, args, state: "running" } };
    }
    case "tool_execution_update": {
      if (known && isOver(known.state)) return tools;
      const waits =
        (event.partialResult as { state?: unknown } | null)?.state === "awaiting-approval";
      return change(
        waits
          ? { state: "awaiting-approval" }
          : { state: known?.state ?? "running", partialResult: event.partialResult },
      );
    }
    case "tool_execution_end": {
      const state = event.isError ? failedState(known, event.result.details) : "done";
      const ended = change({ state, result: event.result });
      const run = ended[event.toolCallId] as ToolRun;
      delete run.partialResult;
      if (event.durationMs !== undefined) run.durationMs = event.durationMs;
      return ended;
    }
    case "tool_approval_requested":
      return change({ state: "awaiting-approval" });
    case "tool_approval_decided":
      return change({ state: event.decision === "allow" ? "running" : "denied" });
  }
}

// Ids come from vendors: one may be called "constructor".
function runOf(tools: ToolRuns, toolCallId: string): ToolRun | undefined {
  return Object.hasOwn(tools, toolCallId) ? tools[toolCallId] : undefined;
}

/** A call that is complete and has not been started. */
export function pendingRun(call: ToolCall): ToolRun {
  return { toolCallId: call.id, toolName: call.name, args: call.arguments, state: "pending" };
}

// The loop says in the details why it gave the result itself.
function failedState(known: ToolRun | undefined, details: unknown): ToolState {
  const outcome = (details as { outcome?: unknown } | null | undefined)?.outcome;
  if (outcome === "denied" || known?.state === "denied") return "denied";
  return outcome === "aborted" ? "aborted" : "error";
}

/** Calls of a finished message that were not heard of yet. Those of a failed or stopped message never run. */
export function withCallsOf(tools: ToolRuns, message: AgentMessage): ToolRuns {
  if (message.role !== "assistant") return tools;
  const stopped = message.stopReason === "error" || message.stopReason === "aborted";
  let next = tools;
  for (const block of message.content) {
    if (block.type !== "toolCall" || !block.id) continue;
    const known = runOf(next, block.id);
    if (known && !(stopped && known.state === "pending")) continue;
    const run = pendingRun(block);
    next = { ...next, [block.id]: stopped ? { ...run, state: "aborted" } : run };
  }
  return next;
}

/** Nothing runs after the end of a run. */
export function settleTools(tools: ToolRuns): ToolRuns {
  const open = Object.values(tools).filter((run) => !isOver(run.state) && run.state !== "denied");
  if (open.length === 0) return tools;
  const settled = open.map((run) => [run.toolCallId, { ...run, state: "aborted" as const }]);
  return { ...tools, ...Object.fromEntries(settled) };
}
