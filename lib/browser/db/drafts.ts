import { readDatabase, writeDatabase } from "./open";
import { parseRow } from "./parse-row";
import { draftSchema } from "./row-schemas";
import type { DraftRow } from "./rows";

/** The drafts that can be read, text by conversation id. */
export async function readDrafts(): Promise<Record<string, string>> {
  const rows = await readDatabase((database) => database.getAll("drafts"));
  const drafts: Record<string, string> = {};
  for (const row of rows) {
    const draft = parseRow<DraftRow>(draftSchema, "drafts", String(row.conversationId), row);
    if (draft) drafts[draft.conversationId] = draft.text;
  }
  return drafts;
}

/** Stores drafts, text by conversation id; an empty text removes one. Resolves when they are stored. */
export function storeDrafts(changed: Record<string, string>, now: number): Promise<void> {
  return writeDatabase(["drafts"], async (transaction) => {
    const store = transaction.objectStore("drafts");
    await Promise.all(
      Object.entries(changed).map(([conversationId, text]) =>
        text === ""
          ? store.delete(conversationId)
          : store.put({ conversationId, text, updatedAt: now }),
      ),
    );
  });
}
