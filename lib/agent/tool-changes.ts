/** The transcript says which tools there are (L-069): a change of the runnable tools becomes part of a system message. */

import { getCurrentTools, getToolStateChanges } from "../ai/transcript.ts";
import type { SystemMessage, Tool } from "../ai/types.ts";
import { toLlmMessages } from "./llm-messages.ts";
import type { AgentMessage, AgentTool } from "./types.ts";

/**
 * The messages to append next, with the change of tools told: on the last system message among them, else on a new one
 * before the first that is not a system message. The same list when there is nothing to tell.
 */
export function announceToolChanges(
  transcript: AgentMessage[],
  pending: AgentMessage[],
  tools: AgentTool[],
): AgentMessage[] {
  const declared = getCurrentTools(toLlmMessages([...transcript, ...pending]));
  const changes = getToolStateChanges(declared, tools);
  if (changes.toolsAdded.length === 0 && changes.toolsRemoved.length === 0) return pending;

  const index = pending.findLastIndex((message) => message.role === "system");
  const last = pending[index];
  if (last?.role === "system") {
    return pending.with(index, withChanges(last, changes));
  }
  const announcement: SystemMessage = { role: "system", content: "", timestamp: Date.now() };
  return [withChanges(announcement, changes), ...pending];
}

interface Changes {
  toolsAdded: Tool[];
  toolsRemoved: { name: string }[];
}

function withChanges(message: SystemMessage, changes: Changes): SystemMessage {
  const replaced = new Set(
    [...changes.toolsRemoved, ...changes.toolsAdded].map((tool) => tool.name),
  );
  const toolsAdded = [
    ...(message.toolsAdded ?? []).filter((tool) => !replaced.has(tool.name)),
    ...changes.toolsAdded,
  ];
  const removedNames = new Set(
    [...(message.toolsRemoved ?? []), ...changes.toolsRemoved].map((tool) => tool.name),
  );
  const changed: SystemMessage = { ...message };
  delete changed.toolsAdded;
  delete changed.toolsRemoved;
  if (toolsAdded.length > 0) changed.toolsAdded = toolsAdded;
  if (removedNames.size > 0) changed.toolsRemoved = [...removedNames].map((name) => ({ name }));
  return changed;
}
