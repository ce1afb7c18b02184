import type { OpenAIResponsesCompat } from "../../compat.ts";
import type { Loose } from "./loose.ts";

/** One block of an assistant message on its way into a request. */
export type Entry =
  | { kind: "reasoning"; item: Loose | undefined }
  /** `original`: the vendor knows it as the item that it made itself. */
  | { kind: "item"; item: Loose; original: boolean }
  | { kind: "left-out" };

/** Whether a reasoning item can go back: the vendor keeps nothing, so it must carry all that is in it. */
export function isReplayable(item: Loose, compat: OpenAIResponsesCompat): boolean {
  return compat.supportsEncryptedReasoning
    ? typeof item.encrypted_content === "string" && item.encrypted_content !== ""
    : true;
}

/**
 * The items without reasoning that stands alone. OpenAI refuses reasoning without the item that followed it, and an item by
 * its id without the reasoning that led to it: the reasoning goes in the first case, the ids go in the second.
 */
export function withoutOrphans(entries: Entry[], compat: OpenAIResponsesCompat): Loose[] {
  const kept = new Set<Entry>();
  let anchored = false;
  for (const entry of [...entries].reverse()) {
    if (entry.kind === "reasoning") {
      anchored = anchored && entry.item !== undefined && isReplayable(entry.item, compat);
      if (anchored) kept.add(entry);
    } else {
      anchored = entry.kind === "item" && entry.original;
      if (entry.kind === "item") kept.add(entry);
    }
  }
  const result: Loose[] = [];
  let orphaned = false;
  for (const entry of entries) {
    if (entry.kind === "reasoning") orphaned = !kept.has(entry);
    if (!kept.has(entry) || entry.kind === "left-out" || !entry.item) continue;
    const { id, ...withoutId } = entry.item;
    result.push(orphaned || id === undefined ? withoutId : entry.item);
  }
  return result;
}
