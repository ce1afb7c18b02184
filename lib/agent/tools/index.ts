import type { AgentTool } from "../types.ts";
import { calculateTool } from "./calculate.ts";
import { getCurrentTimeTool } from "./get-current-time.ts";

/** The tools that every conversation can use: no key, no network, no side effect. */
export function builtinTools(): AgentTool[] {
  return [getCurrentTimeTool(), calculateTool()];
}
