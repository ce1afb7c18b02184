import type { ToolMode } from "@/lib/run/request";
import type { ToolInfo } from "./models-response";

/** What a tool may do: as the person chose, else as the server says, else at once. */
export function toolMode(tool: ToolInfo, chosen: Readonly<Record<string, ToolMode>>): ToolMode {
  const mode = Object.hasOwn(chosen, tool.name) ? chosen[tool.name] : undefined;
  return mode ?? tool.mode ?? "auto";
}
