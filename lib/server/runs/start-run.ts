/** From the body of a request to a run that writes its log. */

import { canContinue, runAgentLoopContinue } from "@/lib/agent/loop";
import type {
  AgentEvent,
  AgentEventSink,
  AgentLoopConfig,
  AgentMessage,
  StreamFn,
} from "@/lib/agent/types";
import { createInitialSystemMessage } from "@/lib/ai/transcript";
import { RunRecorder } from "@/lib/run/encode";
import { InvalidRequestError, type RunRequest } from "@/lib/run/request";
import type { Catalog } from "../catalog";
import type { ServerConfig } from "../config";
import { resolveApiKey } from "../credentials";
import { isMcpTool } from "../mcp/mcp-server";
import { addressPolicy, assertAllowedUrl, fetchWithoutRedirects, guardedFetch } from "../outbound";
import { Plan, planToolName } from "../tools/plan";
import { type ServerTools, serverToolsOf } from "../tools/server-tools";
import type { ActiveRun } from "./active-run";
import type { RunRegistry } from "./registry";
import { askBeforeToolCall, toolsOf } from "./run-tools";
import { WireRecorder } from "./wire-recorder";

export interface RunStarter {
  config: ServerConfig;
  catalog: Catalog;
  registry: RunRegistry;
}

/**
 * Starts the run that a request asks for, unless its id has been started already. What makes it impossible is thrown
 * before anything starts; what goes wrong later is on the log.
 * @returns whether a run was started
 * @throws InvalidRequestError, HttpError
 */
export async function startRun(
  starter: RunStarter,
  request: RunRequest,
  userKey: string | undefined,
): Promise<boolean> {
  const { config, catalog, registry } = starter;
  if (await registry.has(request.runId)) return false;
  if (!canContinue(request.context.messages)) {
    throw new InvalidRequestError(
      "context.messages: the last message is an answer; there is nothing to answer.",
      "context.messages",
    );
  }
  const resolved = catalog.resolve(request.model);
  const policy = addressPolicy(config);
  if (!resolved.provider) await assertAllowedUrl(resolved.model.baseUrl, policy, "model.baseUrl");
  const apiKey = resolveApiKey(userKey, resolved, config);
  const streamOptions: AgentLoopConfig["streamOptions"] = {
    ...request.options,
    fetch: resolved.provider ? fetchWithoutRedirects : guardedFetch(policy),
  };
  if (apiKey) streamOptions.apiKey = apiKey;
  return registry.start(request.runId, apiKey ? [apiKey] : [], (run) =>
    runLoop(
      run,
      request,
      {
        model: resolved.model,
        streamFn: resolved.models.streamSimple as StreamFn,
        streamOptions,
        maxTurns: config.maxTurns,
      },
      serverToolsOf(config.env),
    ),
  );
}

async function runLoop(
  run: ActiveRun,
  request: RunRequest,
  base: Pick<AgentLoopConfig, "model" | "streamFn" | "streamOptions" | "maxTurns">,
  serverTools: ServerTools,
): Promise<void> {
  const wire = new WireRecorder(run.writer, request.record === "wire");
  if (mayUseMcp(request)) await serverTools.look();
  const plan = new Plan(request.context.messages);
  const own = serverTools.list().map((tool) => (tool.name === planToolName ? plan.tool() : tool));
  const tools = toolsOf(request, run, own);
  const config: AgentLoopConfig = {
    ...base,
    thinkingLevel: request.thinkingLevel,
    streamOptions: { ...base.streamOptions, ...wire.hooks },
    getSteeringMessages: () => run.takeSteering(),
    getFollowUpMessages: () => run.takeFollowUp(),
    peekQueued: () => run.peekQueued(),
    beforeToolCall: askBeforeToolCall(request, run, own),
    prepareNextTurn: () => {
      const change = plan.takeChange();
      return change && { messages: [change] };
    },
  };
  // Prompt and tools lead the transcript, so a request that changes neither adds no message to the conversation.
  const system = createInitialSystemMessage(request.context.systemPrompt, tools);
  const messages: AgentMessage[] = [...(system ? [system] : []), ...request.context.messages];
  await runAgentLoopContinue({ messages, tools }, config, recordTo(run, wire), run.signal);
}

/** Nobody waits for servers that they do not use. */
function mayUseMcp({ tools }: RunRequest): boolean {
  return !tools || Object.entries(tools).some(([name, mode]) => isMcpTool(name) && mode !== "off");
}

function recordTo(run: ActiveRun, wire: WireRecorder): AgentEventSink {
  const recorder = new RunRecorder((message) => run.idOf(message));
  return (event) => {
    if (event.type === "turn_start") wire.turnStarted();
    const body = recorder.record(event);
    if (!body) return undefined;
    return run.writer.append(body, causeOf(event, wire));
  };
}

/** Only the records of an answer rest on something that the vendor sent. */
function causeOf(event: AgentEvent, wire: WireRecorder): number | undefined {
  const { cause } = wire;
  if (cause === undefined || !event.type.startsWith("message_")) return undefined;
  return "message" in event && event.message.role === "assistant" ? cause : -1;
}
