import type { AgentLoopConfig, AgentTool } from "@/lib/agent/types";
import type { Tool } from "@/lib/ai/types";
import type { RunRequest, ToolMode } from "@/lib/run/request";
import type { ServerTool } from "../tools/server-tool";
import type { ActiveRun } from "./active-run";

/** How long a tool in the browser may take, in ms: a person may have to act. */
const browserToolTimeoutMs = 10 * 60_000;

/**
 * The tools of a run: the server's own that the request allows (when it does not say, all that are not off by themselves),
 * and those that it declares itself, which run in the browser.
 */
export function toolsOf(request: RunRequest, run: ActiveRun, own: ServerTool[]): AgentTool[] {
  const declared = request.context.tools ?? [];
  const declaredNames = new Set(declared.map((tool) => tool.name));
  const isOn = (name: string): boolean => {
    const mode = modeOf(request, name, own);
    if (mode !== undefined) return mode !== "off";
    return declaredNames.has(name) || request.tools === undefined;
  };
  const ownNames = new Set(own.map((tool) => tool.name));
  const inBrowser = declared
    .filter((tool) => !ownNames.has(tool.name))
    .map((tool) => browserTool(tool, run));
  return [...own, ...inBrowser].filter((tool) => isOn(tool.name));
}

/** Stops at a call of a tool that asks until a person has decided; a run that is stopped decides nothing. */
export function askBeforeToolCall(
  request: RunRequest,
  run: ActiveRun,
  own: ServerTool[] = [],
): NonNullable<AgentLoopConfig["beforeToolCall"]> {
  const alwaysAllowed = new Set<string>();
  return async ({ toolCall, args }, signal, onUpdate) => {
    if (modeOf(request, toolCall.name, own) !== "ask") return undefined;
    if (alwaysAllowed.has(toolCall.name)) return undefined;
    const { id: toolCallId, name: toolName } = toolCall;
    const waiting = run.waitForDecision(toolCallId, signal);
    await run.writer.append({ type: "tool_approval_requested", toolCallId, toolName, args });
    onUpdate({ state: "awaiting-approval" });
    const { decision, reason, always } = await waiting;
    if (always && decision === "allow") alwaysAllowed.add(toolName);
    await run.writer.append({
      type: "tool_approval_decided",
      toolCallId,
      decision,
      ...(reason === undefined ? {} : { reason }),
    });
    if (decision === "allow") return undefined;
    return { block: true, reason: deniedText(reason) };
  };
}

function deniedText(reason: string | undefined): string {
  const said = reason?.trim();
  return `The person did not allow this call.${said ? ` They said: ${said}` : ""}`;
}

/** What the request says; a request that says nothing at all leaves it to each tool. */
function modeOf(request: RunRequest, name: string, own: ServerTool[]): ToolMode | undefined {
  if (!request.tools) return own.find((tool) => tool.name === name)?.defaultMode;
  return Object.hasOwn(request.tools, name) ? request.tools[name] : undefined;
}

function browserTool(tool: Tool, run: ActiveRun): AgentTool {
  return {
    ...tool,
    label: tool.name,
    timeoutMs: browserToolTimeoutMs,
    execute: (toolCallId, _args, signal) => run.waitForResult(toolCallId, signal),
  };
}
