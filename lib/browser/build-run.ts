import type { AgentMessage } from "@/lib/agent/types";
import type { Model, ThinkingLevel } from "@/lib/ai/types";
import type { RunRequest, ToolMode } from "@/lib/run/request";
import type { ModelRef } from "./db/rows";
import type { ModelInfo, ProviderInfo, ToolInfo } from "./models-response";
import { toolMode } from "./tool-mode";

export interface RunPlan {
  runId: string;
  conversationId: string;
  model: ModelRef;
  /** What the server says of the model; undefined when its list could not be read. */
  known: { provider: ProviderInfo; model: ModelInfo } | undefined;
  thinkingLevel: ThinkingLevel;
  /** Finished messages of the branch, the failed ones too: what a model may see of them is decided per request. */
  messages: AgentMessage[];
  systemPrompt: string | undefined;
  /** The tools that the server has. */
  tools: ToolInfo[];
  toolModes: Record<string, ToolMode>;
  /** The person's own settings for the provider. */
  provider: { apiKey?: string; baseUrl?: string } | undefined;
}

export interface BuiltRun {
  request: RunRequest;
  /** Goes into a header, never into the body. */
  apiKey?: string;
}

/**
 * The request of a run. With a base URL of the person's own the whole model is sent, with that address.
 *
 * @throws Error when the base URL is set and the model is not known: the key would go to a host that it is not for
 */
export function buildRun(plan: RunPlan): BuiltRun {
  const { runId, conversationId, thinkingLevel, messages, toolModes, provider } = plan;
  const systemPrompt = plan.systemPrompt?.trim() ? plan.systemPrompt : undefined;
  const request: RunRequest = {
    runId,
    model: provider?.baseUrl ? wholeModel(plan, provider.baseUrl) : plan.model,
    thinkingLevel,
    context: { ...(systemPrompt && { systemPrompt }), messages },
    options: { sessionId: conversationId },
    tools: Object.fromEntries(plan.tools.map((tool) => [tool.name, toolMode(tool, toolModes)])),
  };
  return { request, ...(provider?.apiKey && { apiKey: provider.apiKey }) };
}

function wholeModel(plan: RunPlan, baseUrl: string): Model {
  if (!plan.known) {
    throw new Error(
      "The list of models could not be read, so your own address for this provider cannot be used. Reload the page.",
    );
  }
  const { id, name, api, reasoning, input, cost, contextWindow, maxTokens, compat } =
    plan.known.model;
  const thinkingLevelMap = plan.known.model.thinkingLevelMap ?? levelMap(plan.known.model);
  return {
    id,
    name,
    api,
    provider: plan.known.provider.id,
    baseUrl,
    reasoning,
    thinkingLevelMap,
    input,
    contextWindow,
    maxTokens,
    ...(cost && { cost }),
    ...(compat && { compat }),
  };
}

const LEVELS: ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

function levelMap({ thinkingLevels }: ModelInfo): Partial<Record<ThinkingLevel, string | null>> {
  const map: Partial<Record<ThinkingLevel, string | null>> = {};
  for (const level of LEVELS) {
    if (!thinkingLevels.includes(level)) map[level] = null;
    else if (level === "xhigh" || level === "max") map[level] = level;
  }
  return map;
}
