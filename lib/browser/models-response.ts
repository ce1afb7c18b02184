import * as z from "zod/mini";
import type { Compat } from "@/lib/ai/compat";
import type { Api, ModelCost, ThinkingLevel } from "@/lib/ai/types";

// Compiled validators need `new Function`, which a page's content security policy forbids.
if (typeof window !== "undefined") z.config({ jitless: true });

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
  /** Where the server tells them: needed to send the model to another host of the same kind. */
  thinkingLevelMap?: Partial<Record<ThinkingLevel, string | null>>;
  compat?: Compat<Api>;
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
  /** What it may do when nobody has chosen. Absent: "auto". */
  mode?: "auto" | "ask" | "off";
  /** The MCP server that it comes from. */
  server?: string;
}

/** An MCP server that cannot be used at the moment. */
export interface ToolProblem {
  server: string;
  message: string;
}

/** The answer of `GET /api/models`. */
export interface ModelsResponse {
  providers: ProviderInfo[];
  tools: ToolInfo[];
  toolProblems?: ToolProblem[];
}

const thinkingLevel = z.enum(["off", "minimal", "low", "medium", "high", "xhigh", "max"]);
const responseSchema = z.object({
  providers: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      configured: z.boolean(),
      needsKey: z.boolean(),
      keyEnv: z.array(z.string()),
      baseUrl: z.string(),
      models: z.array(
        z.looseObject({
          id: z.string(),
          name: z.string(),
          api: z.string(),
          reasoning: z.boolean(),
          thinkingLevels: z.array(thinkingLevel),
          input: z.array(z.enum(["text", "image"])),
          contextWindow: z.number(),
          maxTokens: z.number(),
        }),
      ),
    }),
  ),
  tools: z.array(
    z.looseObject({
      name: z.string(),
      label: z.string(),
      description: z.string(),
      mode: z.optional(z.enum(["auto", "ask", "off"])),
      server: z.optional(z.string()),
    }),
  ),
  toolProblems: z.optional(z.array(z.object({ server: z.string(), message: z.string() }))),
});

/** @throws Error that names the field at fault */
export function parseModelsResponse(body: unknown): ModelsResponse {
  const parsed = z.safeParse(responseSchema, body);
  if (parsed.success) return parsed.data as unknown as ModelsResponse;
  const field = parsed.error.issues[0]?.path.join(".") || "body";
  throw new Error(`The server's list of models has a wrong field: ${field}.`);
}
