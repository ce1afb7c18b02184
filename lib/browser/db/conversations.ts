import { StorageError } from "./errors";
import { readDatabase, writeDatabase } from "./open";
import { parseRow } from "./parse-row";
import { conversationSchema } from "./row-schemas";
import type { ConversationRow } from "./rows";

export function parseConversation(row: unknown): ConversationRow | undefined {
  if (row === undefined) return undefined;
  const key = String((row as { id?: unknown }).id);
  return parseRow<ConversationRow>(conversationSchema, "conversations", key, row);
}

/** All conversations that can be read, newest first. Reads no message. */
export async function listConversations(): Promise<ConversationRow[]> {
  const rows = await readDatabase((database) =>
    database.getAllFromIndex("conversations", "updatedAt"),
  );
  return rows
    .map(parseConversation)
    .filter((row) => row !== undefined)
    .reverse();
}

export async function getConversation(id: string): Promise<ConversationRow | undefined> {
  return parseConversation(await readDatabase((database) => database.get("conversations", id)));
}

/**
 * Changes fields of a conversation; what other tabs changed meanwhile stays.
 *
 * @throws {StorageError} "conflict" when it is not there any more
 */
export function updateConversation(
  id: string,
  patch: Partial<Pick<ConversationRow, "title" | "renamed" | "model" | "thinkingLevel">>,
): Promise<ConversationRow> {
  return writeDatabase(["conversations"], async (transaction) => {
    const store = transaction.objectStore("conversations");
    const row = parseConversation(await store.get(id));
    if (!row) throw conversationGone();
    const changed = { ...row, ...patch };
    await store.put(changed);
    return changed;
  });
}

/** Deletes a conversation with its entries, its draft and what is kept of its runs. */
export function removeConversation(id: string): Promise<void> {
  return writeDatabase(["conversations", "entries", "runs", "drafts"], async (transaction) => {
    const entries = transaction.objectStore("entries");
    const runs = transaction.objectStore("runs");
    const [entryKeys, runKeys] = await Promise.all([
      entries.index("conversation").getAllKeys(entriesOf(id)),
      runs.index("conversationId").getAllKeys(id),
    ]);
    await Promise.all([
      ...entryKeys.map((key) => entries.delete(key)),
      ...runKeys.map((key) => runs.delete(key)),
      transaction.objectStore("drafts").delete(id),
      transaction.objectStore("conversations").delete(id),
    ]);
  });
}

/** The range of a conversation's entries in the index "conversation", in order of `seq`. */
export function entriesOf(conversationId: string): IDBKeyRange {
  return IDBKeyRange.bound([conversationId, 0], [conversationId, Number.POSITIVE_INFINITY]);
}

export function conversationGone(): StorageError {
  return new StorageError(
    "conflict",
    "This conversation is no longer stored; it was deleted, perhaps in another tab.",
    "Copy what you need from this page and start a new chat.",
  );
}
