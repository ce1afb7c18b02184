import type { AgentMessage } from "@/lib/agent/types";
import type { ThinkingLevel } from "@/lib/ai/types";
import { initialRunState, type RunState } from "@/lib/run/fold";
import { conversationGone, entriesOf, parseConversation } from "./conversations";
import { StorageError } from "./errors";
import { readDatabase, writeDatabase } from "./open";
import { parseRow } from "./parse-row";
import { entrySchema, runSchema } from "./row-schemas";
import type { ConversationRow, EntryRow, ModelRef, RunRow } from "./rows";

/** A run that was not over when it was last written down, as far as it had come. */
export interface StoredRun {
  runId: string;
  /** When it was started, ms since the epoch; undefined when that is not known. */
  createdAt?: number;
  state: RunState;
  /** The rows of its messages, finished and partial, in order. */
  rows: EntryRow[];
}

export interface StoredConversation {
  conversation: ConversationRow;
  /** The visible branch, root to leaf, finished messages only. */
  branch: EntryRow[];
  /** Messages that wait for their place in the tree, oldest first. */
  queue: EntryRow[];
  run?: StoredRun;
}

export function parseEntry(row: unknown): EntryRow | undefined {
  const key = String((row as { id?: unknown }).id);
  return parseRow<EntryRow>(entrySchema, "entries", key, row);
}

/** Everything that a page needs of a conversation, as of one moment; undefined when it is not stored. */
export async function readConversation(id: string): Promise<StoredConversation | undefined> {
  const rows = await readDatabase(async (database) => {
    const transaction = database.transaction(["conversations", "entries", "runs"]);
    const conversation = parseConversation(await transaction.objectStore("conversations").get(id));
    if (!conversation) return undefined;
    const { activeRun } = conversation;
    const [entries, run] = await Promise.all([
      transaction.objectStore("entries").index("conversation").getAll(entriesOf(id)),
      activeRun && transaction.objectStore("runs").get(activeRun.runId),
      transaction.done,
    ]);
    return { conversation, entries, run };
  });
  if (!rows) return undefined;
  const { conversation, entries, run } = rows;
  const branch = pathTo(conversation.leafId, entries).filter((entry) => !entry.partial);
  const queue = queueOf(entries);
  if (!conversation.activeRun) return { conversation, branch, queue };
  return { conversation, branch, queue, run: restoreRun(conversation.activeRun, entries, run) };
}

/** The messages among a conversation's entries that wait for their place in the tree, oldest first. */
export function queueOf(entries: EntryRow[]): EntryRow[] {
  return entries
    .filter((entry) => entry.queued !== undefined)
    .map(parseEntry)
    .filter((entry) => entry !== undefined);
}

/**
 * The path from the root to an entry. An entry that cannot be read is left out and the path goes on above it: its
 * parent is read from the raw row.
 */
function pathTo(leafId: string | undefined, entries: EntryRow[]): EntryRow[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path: EntryRow[] = [];
  let next: unknown = leafId;
  while (typeof next === "string") {
    const row = byId.get(next);
    if (!row) break;
    // Each row is taken once, so that a broken chain cannot turn into an endless one.
    byId.delete(next);
    const entry = parseEntry(row);
    if (entry) path.push(entry);
    next = row.parentId;
  }
  return path.reverse();
}

function restoreRun(
  activeRun: { runId: string; afterSeq: number },
  entries: EntryRow[],
  stored: RunRow | undefined,
): StoredRun {
  const { runId, afterSeq } = activeRun;
  const run = stored && parseRow<RunRow>(runSchema, "runs", runId, stored);
  const rows = entries
    .filter((entry) => entry.runId === runId)
    .map(parseEntry)
    .filter((entry) => entry !== undefined);
  const state: RunState = {
    ...initialRunState(),
    ...run?.live,
    lastSeq: afterSeq,
    messages: rows.map(({ id, message, partial, live }) => ({
      ...live,
      id,
      message,
      complete: !partial,
    })),
  };
  return { runId, state, rows, ...(run && { createdAt: run.createdAt }) };
}

export interface RunStart {
  conversationId: string;
  runId: string;
  model: ModelRef;
  thinkingLevel: ThinkingLevel;
  /** When it happens, ms since the epoch. */
  now: number;
  /** Present for the first message of a new conversation. */
  newConversation?: { title: string };
  /**
   * A message of the person, put below `parentId`; one that was queued leaves the queue with this. Without one the run
   * answers the entry `parentId` again.
   */
  entry?: { id: string; message: AgentMessage };
  parentId: string | null;
}

/**
 * Writes down that a run begins, before the server is asked: the person's message, the conversation if it is new, and
 * the run's id, in one transaction.
 *
 * @throws {StorageError} "conflict" when a run is active already or the conversation was deleted; nothing is stored then
 */
export function storeRunStart(
  start: RunStart,
): Promise<{ conversation: ConversationRow; entry?: EntryRow }> {
  const { conversationId, runId, model, thinkingLevel, now, parentId } = start;
  return writeDatabase(["conversations", "entries", "runs"], async (transaction) => {
    const conversations = transaction.objectStore("conversations");
    const stored = parseConversation(await conversations.get(conversationId));
    if (!stored && !start.newConversation) throw conversationGone();
    if (stored?.activeRun) throw runIsActive();
    const existing = start.entry && (await transaction.objectStore("entries").get(start.entry.id));
    if (existing && !existing.queued) throw isSent();
    const before: ConversationRow = stored ?? {
      id: conversationId,
      title: start.newConversation?.title ?? "",
      createdAt: now,
      updatedAt: now,
      entryCount: 0,
    };
    const entry: EntryRow | undefined = start.entry && {
      id: start.entry.id,
      conversationId,
      parentId,
      seq: before.entryCount,
      kind: "message",
      message: start.entry.message,
      createdAt: now,
    };
    const baseId = entry?.id ?? parentId ?? undefined;
    const { failure: _answered, ...rest } = before;
    const conversation: ConversationRow = {
      ...rest,
      model,
      thinkingLevel,
      updatedAt: now,
      entryCount: before.entryCount + (entry ? 1 : 0),
      activeRun: { runId, afterSeq: 0, ...(baseId && { baseId }) },
      ...(baseId && { leafId: baseId }),
    };
    await Promise.all([
      entry && transaction.objectStore("entries")[existing ? "put" : "add"](entry),
      conversations.put(conversation),
      transaction.objectStore("runs").put({ id: runId, conversationId, createdAt: now }),
    ]);
    return { conversation, ...(entry && { entry }) };
  });
}

function isSent(): StorageError {
  return new StorageError(
    "conflict",
    "This message has been sent already, perhaps in another tab.",
    "Reload the page to see it.",
  );
}

function runIsActive(): StorageError {
  return new StorageError(
    "conflict",
    "An answer is still being written in this conversation, perhaps in another tab.",
    "Wait until it is done or stop it, then send again.",
  );
}
