import { builtinTools } from "@/lib/agent/tools/index";
import { McpServers, type ToolProblem } from "../mcp/mcp-servers";
import { fetchUrlTool } from "./fetch-url/fetch-url";
import { runJavascriptTool } from "./javascript/run-javascript";
import { listedPlanTool } from "./plan";
import type { ServerTool } from "./server-tool";
import { searchEngineFrom, webSearchTool } from "./web-search";

/** The tools of this server: built in, configured by the operator, and those of MCP servers. */
export class ServerTools {
  private readonly own: ServerTool[];
  private readonly mcp: McpServers;

  constructor(env: Record<string, string | undefined>) {
    const engine = searchEngineFrom(env);
    this.own = [
      ...builtinTools(),
      fetchUrlTool(),
      runJavascriptTool(),
      listedPlanTool(),
      ...(engine ? [webSearchTool(engine)] : []),
    ];
    this.mcp = new McpServers(env.RILL_MCP_CONFIG?.trim() || undefined);
  }

  /** Connects to servers that are not connected yet. Never rejects. */
  look(): Promise<void> {
    return this.mcp.look();
  }

  /** What is known now. */
  list(): ServerTool[] {
    return [...this.own, ...this.mcp.tools];
  }

  get problems(): ToolProblem[] {
    return this.mcp.problems;
  }

  close(): Promise<void> {
    return this.mcp.close();
  }
}

const place = globalThis as { rillServerTools?: WeakMap<object, ServerTools> };

/** The tools that belong to an environment; made once, since servers' processes hang on them. */
export function serverToolsOf(env: Record<string, string | undefined>): ServerTools {
  // On the global object: a development server loads this module anew.
  place.rillServerTools ??= new WeakMap();
  let tools = place.rillServerTools.get(env);
  if (!tools) {
    tools = new ServerTools(env);
    place.rillServerTools.set(env, tools);
  }
  return tools;
}
