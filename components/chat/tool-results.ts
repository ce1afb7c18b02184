import type { ToolResultMessage } from "@/lib/ai/types";
import type { EntryRow } from "@/lib/browser/db/rows";

/** Results by the id of the entry that holds their call, then by call id: vendors use an id again in a later message. */
export type ToolResults = ReadonlyMap<string, ReadonlyMap<string, ToolResultMessage>>;

const cache = new WeakMap<readonly EntryRow[], ToolResults>();

/** The results in a branch. Looked up once per branch, however many cards ask. */
export function toolResults(entries: readonly EntryRow[]): ToolResults {
  const known = cache.get(entries);
  if (known) return known;
  const found = new Map<string, Map<string, ToolResultMessage>>();
  let caller: Map<string, ToolResultMessage> | undefined;
  for (const { id, message } of entries) {
    if (message.role === "assistant") {
      caller = new Map();
      found.set(id, caller);
    } else if (message.role === "toolResult" && !caller?.has(message.toolCallId)) {
      caller?.set(message.toolCallId, message);
    }
  }
  cache.set(entries, found);
  return found;
}
