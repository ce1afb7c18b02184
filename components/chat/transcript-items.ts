import type { EntryRow } from "@/lib/browser/db/rows";
import type { RunMessage } from "@/lib/run/fold";
import { toolResults } from "./tool-results";

/** A message that has an article of its own in the transcript. */
export interface TranscriptItem {
  id: string;
  role: "user" | "assistant" | "toolResult";
  /** Absent while the message is being written: it is in the run's state only. */
  row?: EntryRow;
  /** Follows another message of the same answer. */
  continues: boolean;
  /** Nothing of the same answer follows. */
  endsAnswer: boolean;
}

/**
 * The articles of a branch and of the run that goes on in it. Results of tools are drawn inside their call's card; one
 * whose call is not there has an article of its own.
 */
export function transcriptItems(
  entries: readonly EntryRow[],
  live: readonly Pick<RunMessage, "id" | "message">[],
): TranscriptItem[] {
  const results = toolResults(entries);
  const items: TranscriptItem[] = [];
  let caller: ReadonlyMap<string, unknown> | undefined;
  const add = (id: string, role: TranscriptItem["role"], row?: EntryRow): void => {
    const before = items.at(-1);
    const continues = role === "assistant" && before?.role === "assistant";
    if (continues && before) before.endsAnswer = false;
    items.push({ id, role, continues, endsAnswer: role === "assistant", ...(row && { row }) });
  };
  for (const row of entries) {
    const { message } = row;
    if (message.role === "assistant") {
      caller = results.get(row.id);
      add(row.id, "assistant", row);
    } else if (message.role === "toolResult") {
      if (!caller?.has(message.toolCallId)) add(row.id, "toolResult", row);
    } else if (message.role === "user") {
      add(row.id, "user", row);
    }
  }
  const stored = new Set(entries.map((row) => row.id));
  for (const { id, message } of live) {
    if (message.role === "assistant" && !stored.has(id)) add(id, "assistant");
  }
  return items;
}
