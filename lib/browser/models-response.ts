import type { Api, ModelCost, ThinkingLevel } from "@/lib/ai/types";

export interface ModelInfo {
  id: string;
  name: string;
  api: Api;
  reasoning: boolean;
  thinkingLevels: ThinkingLevel[];
  input: ("text" | "image")[];
  /** Tokens; 0: not known. */
  contextWindow: number;
  maxTokens: number;
  cost?: ModelCost;
}

export interface ProviderInfo {
  id: string;
  name: string;
  /** The server has a key, or none is needed. */
  configured: boolean;
  needsKey: boolean;
  /** Names of the environment variables that hold the key on the server. */
  keyEnv: string[];
  baseUrl: string;
  local?: true;
  models: ModelInfo[];
}

export interface ToolInfo {
  name: string;
  label: string;
  description: string;
}

export interface ModelsResponse {
  providers: ProviderInfo[];
  tools: ToolInfo[];
}
