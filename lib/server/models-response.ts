import { supportedThinkingLevels } from "@/lib/ai/thinking";
import type { Model, ModelCost, ThinkingLevel } from "@/lib/ai/types";
import type { ToolMode } from "@/lib/run/request";
import type { Catalog } from "./catalog";
import type { ServerConfig } from "./config";
import { serverKey } from "./credentials";
import { serverToolsOf } from "./tools/server-tools";

/** What a browser is told of a model: enough to send the same model to another host of its kind. */
export interface ModelDescription {
  id: string;
  name: string;
  api: string;
  reasoning: boolean;
  thinkingLevels: ThinkingLevel[];
  input: Model["input"];
  contextWindow: number;
  maxTokens: number;
  cost?: ModelCost;
  thinkingLevelMap?: Model["thinkingLevelMap"];
  compat?: Model["compat"];
}

/** The answer of `GET /api/models`. */
export interface ModelsResponse {
  providers: {
    id: string;
    name: string;
    /** The server has a key, or none is needed. */
    configured: boolean;
    needsKey: boolean;
    keyEnv: string[];
    baseUrl: string;
    local?: true;
    models: ModelDescription[];
  }[];
  tools: {
    name: string;
    label: string;
    description: string;
    /** What it may do when nobody has chosen. Absent: "auto". */
    mode?: ToolMode;
    /** The MCP server that it comes from. */
    server?: string;
  }[];
  /** MCP servers that cannot be used at the moment, with a sentence each. */
  toolProblems: { server: string; message: string }[];
}

export function modelsResponse(
  catalog: Catalog,
  config: Pick<ServerConfig, "env">,
): ModelsResponse {
  const tools = serverToolsOf(config.env);
  return {
    providers: catalog.providers.map((provider) => ({
      id: provider.id,
      name: provider.name,
      configured: !provider.needsKey || serverKey(provider, config) !== undefined,
      needsKey: provider.needsKey,
      keyEnv: provider.env,
      baseUrl: provider.baseUrl,
      ...(provider.local ? { local: true as const } : {}),
      models: catalog.modelsOf(provider).map(describeModel),
    })),
    tools: tools.list().map(({ name, label, description, defaultMode, server }) => ({
      ...{ name, label, description },
      ...(defaultMode && { mode: defaultMode }),
      ...(server && { server }),
    })),
    toolProblems: tools.problems,
  };
}

export function describeModel(model: Model): ModelDescription {
  const { id, name, api, reasoning, input, contextWindow, maxTokens } = model;
  const { cost, thinkingLevelMap, compat } = model;
  const thinkingLevels = supportedThinkingLevels(model);
  return {
    ...{ id, name, api, reasoning, thinkingLevels, input, contextWindow, maxTokens },
    ...(cost && { cost }),
    ...(thinkingLevelMap && { thinkingLevelMap }),
    ...(compat && { compat }),
  };
}
