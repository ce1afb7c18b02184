import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { closeChanges } from "../changes";
import { closeDatabase } from "../db/open";

/** An empty profile: a database of its own for the test that calls it. */
export async function freshDatabase(): Promise<void> {
  await closeDatabase();
  closeChanges();
  globalThis.indexedDB = new IDBFactory();
}
