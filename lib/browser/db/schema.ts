import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type { ConversationRow, DraftRow, EntryRow, RunRow, SettingsRow } from "./rows";

export const DATABASE_NAME = "rill";

/** Attachments, recordings and share links: the stores exist from the first version, their rows come with their features. */
type LaterRow = Record<string, unknown>;

export interface RillSchema extends DBSchema {
  conversations: { key: string; value: ConversationRow; indexes: { updatedAt: number } };
  entries: { key: string; value: EntryRow; indexes: { conversation: [string, number] } };
  /** By SHA-256. */
  blobs: { key: string; value: LaterRow };
  runs: { key: string; value: RunRow; indexes: { conversationId: string } };
  /** By run and chunk number. */
  runEvents: { key: [string, number]; value: LaterRow };
  settings: { key: string; value: SettingsRow };
  drafts: { key: string; value: DraftRow };
  shares: { key: string; value: LaterRow };
}

export type StoreName = StoreNames<RillSchema>;
export type Database = IDBPDatabase<RillSchema>;
export type WriteTransaction<TStores extends StoreName[]> = IDBPTransaction<
  RillSchema,
  TStores,
  "readwrite"
>;

type UpgradeTransaction = IDBPTransaction<RillSchema, StoreName[], "versionchange">;

/** Migration n brings a database of version n to n + 1. One that has been released is never changed. */
export const MIGRATIONS: ((database: Database, transaction: UpgradeTransaction) => void)[] = [
  (database) => {
    database
      .createObjectStore("conversations", { keyPath: "id" })
      .createIndex("updatedAt", "updatedAt");
    database
      .createObjectStore("entries", { keyPath: "id" })
      .createIndex("conversation", ["conversationId", "seq"]);
    database.createObjectStore("blobs", { keyPath: "sha256" });
    database
      .createObjectStore("runs", { keyPath: "id" })
      .createIndex("conversationId", "conversationId");
    database.createObjectStore("runEvents", { keyPath: ["runId", "chunk"] });
    database.createObjectStore("settings", { keyPath: "id" });
    database.createObjectStore("drafts", { keyPath: "conversationId" });
    database.createObjectStore("shares", { keyPath: "id" });
  },
];

export const DATABASE_VERSION = MIGRATIONS.length;
