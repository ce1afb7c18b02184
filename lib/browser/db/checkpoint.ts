import type { RunState } from "@/lib/run/fold";
import type { RunFailure } from "../failure";
import { parseConversation } from "./conversations";
import { writeDatabase } from "./open";
import type { ConversationRow, EntryRow } from "./rows";

/** What has changed in a run since it was last written down. Plain rows: `seq` is filled in here. */
export interface Checkpoint {
  conversationId: string;
  runId: string;
  /** Events up to this one are in the rows. */
  afterSeq: number;
  finished: EntryRow[];
  partial: EntryRow[];
  /** The entry that is answered and the run's messages, in order. */
  path: string[];
  /** The last finished entry of the path. */
  leafId?: string;
  /** Absent when unchanged. */
  live?: Omit<RunState, "messages">;
  /** The run is over; with a failure when it could not be started or followed. */
  end?: { failure?: RunFailure };
  /** When it happens, ms since the epoch. */
  now: number;
}

/**
 * Writes what arrived and the number up to which it arrived in one transaction, so that a reload goes on exactly there.
 * Safe to repeat and safe beside another tab that follows the same run: a finished message is never written twice and
 * an older checkpoint never replaces a newer one.
 *
 * @returns "over" when this run is not the conversation's active one any more (ended or deleted by another tab);
 *   nothing was stored then
 * @throws {StorageError}
 */
export function storeCheckpoint(checkpoint: Checkpoint): Promise<"stored" | "over"> {
  const { conversationId, runId, afterSeq, path, live, end, now } = checkpoint;
  return writeDatabase(["conversations", "entries", "runs"], async (transaction) => {
    const conversations = transaction.objectStore("conversations");
    const entries = transaction.objectStore("entries");
    const runs = transaction.objectStore("runs");
    const rows = [...checkpoint.finished, ...checkpoint.partial];
    const [rawConversation, ...stored] = await Promise.all([
      conversations.get(conversationId),
      ...rows.map((row) => entries.get(row.id)),
    ]);
    const conversation = parseConversation(rawConversation);
    if (conversation?.activeRun?.runId !== runId) return "over";
    const behind = conversation.activeRun.afterSeq > afterSeq;

    const next: ConversationRow = { ...conversation };
    const writes: Promise<unknown>[] = [];
    for (const [index, row] of rows.entries()) {
      const existing = stored[index];
      const finished = existing && !existing.partial && !existing.queued;
      if (finished || (row.partial && behind)) continue;
      // A message that was queued takes its place in the tree with this.
      const seq = existing && !existing.queued ? existing.seq : next.entryCount++;
      writes.push(entries.put({ ...row, seq }));
      if (!row.partial) next.updatedAt = now;
    }
    // The person may have gone to another branch meanwhile; then the leaf stays there.
    const onPath = conversation.leafId === undefined || path.includes(conversation.leafId);
    if (onPath && checkpoint.leafId !== undefined) next.leafId = checkpoint.leafId;

    if (end) {
      delete next.activeRun;
      if (end.failure) {
        next.failure = {
          ...end.failure,
          runId,
          ...(next.leafId !== undefined && { entryId: next.leafId }),
        };
      }
      writes.push(runs.delete(runId));
    } else if (!behind) {
      next.activeRun = { ...conversation.activeRun, afterSeq };
      if (live) {
        const run = await runs.get(runId);
        writes.push(runs.put({ ...(run ?? { id: runId, conversationId, createdAt: now }), live }));
      }
    }
    writes.push(conversations.put(next));
    await Promise.all(writes);
    return "stored";
  });
}
