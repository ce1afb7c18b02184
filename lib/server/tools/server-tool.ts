import type { AgentTool } from "@/lib/agent/types";
import type { ToolMode } from "@/lib/run/request";

/** A tool that runs on the server, and what it may do when nobody has chosen. */
export interface ServerTool extends AgentTool {
  /** Absent: "auto". */
  defaultMode?: ToolMode;
  /** The MCP server that it comes from. */
  server?: string;
}
