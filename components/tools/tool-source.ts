import { createContext, useContext } from "react";
import type { ApprovalAnswer } from "./tool-approval";
import type { ToolFacts } from "./tool-view";

/**
 * Where cards find the state of their call. A card asks for itself, so that a tool's progress draws its card and not the
 * message around it; a page without a live conversation gives another source.
 */
export interface ToolSource {
  /** A hook. Ids of calls are unique within a message only. */
  useFacts: (entryId: string, toolCallId: string) => ToolFacts;
  /** A hook: what people call the tool. */
  useLabel: (toolName: string) => string;
  /** Tells the run what a person decided about a call that waits. Absent where nothing can be decided. */
  answer?: (call: { id: string; name: string }, answer: ApprovalAnswer) => Promise<void>;
}

export const ToolSourceContext = createContext<ToolSource>({
  useFacts: () => ({ active: false }),
  useLabel: toolTitle,
});

export function useToolSource(): ToolSource {
  return useContext(ToolSourceContext);
}

/** "get_weather" → "Get weather". */
export function toolTitle(toolName: string): string {
  const words = toolName
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim();
  return words ? words[0]?.toUpperCase() + words.slice(1).toLowerCase() : "Tool";
}
