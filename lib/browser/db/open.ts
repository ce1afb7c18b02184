import { openDB } from "idb";
import { StorageError, storageError, toStorageError } from "./errors";
import {
  DATABASE_NAME,
  DATABASE_VERSION,
  type Database,
  MIGRATIONS,
  type StoreName,
  type WriteTransaction,
} from "./schema";

/** What people must know about the storage as a whole. "ready" takes an earlier notice back. */
export type StorageNotice =
  | { kind: "ready" }
  | { kind: "blocked" | "outdated" | "deleted"; message: string; nextStep: string };

const listeners = new Set<(notice: StorageNotice) => void>();
let opening: Promise<Database> | undefined;

/** Calls the listener with each notice from now on; returns how to stop. */
export function onStorageNotice(listener: (notice: StorageNotice) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(notice: StorageNotice): void {
  for (const listener of listeners) listener(notice);
}

/**
 * The one connection of this page. Waits while a tab with an older version keeps the database busy, and says so by a
 * notice. When another tab needs a newer version, the connection is given up at once (running transactions finish) and
 * every later use fails with an "outdated" error.
 *
 * @throws {StorageError}
 */
export function openDatabase(): Promise<Database> {
  opening ??= connect().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** Gives up the connection; the next use opens a new one. */
export async function closeDatabase(): Promise<void> {
  const current = opening;
  opening = undefined;
  (await current?.catch(() => undefined))?.close();
}

async function connect(): Promise<Database> {
  if (typeof indexedDB === "undefined") throw storageError("unavailable");
  let connection: Database | undefined;
  let blocked = false;
  try {
    connection = await openDB(DATABASE_NAME, DATABASE_VERSION, {
      upgrade(database, oldVersion, _newVersion, transaction) {
        for (const migrate of MIGRATIONS.slice(oldVersion)) migrate(database, transaction);
      },
      blocked() {
        blocked = true;
        tell({
          kind: "blocked",
          message: "Rill is open in another tab with an older version, so this one has to wait.",
          nextStep: "Reload or close the other tabs. Nothing is lost.",
        });
      },
      blocking(_currentVersion, newVersion) {
        connection?.close();
        opening = undefined;
        if (newVersion === null) {
          tell({
            kind: "deleted",
            message: "Rill's stored data is being deleted in another tab.",
            nextStep: "Reload this page.",
          });
        } else {
          const { message, nextStep } = storageError("outdated");
          tell({ kind: "outdated", message, nextStep });
        }
      },
      terminated() {
        opening = undefined;
      },
    });
  } catch (error) {
    const name = error instanceof Error || error instanceof DOMException ? error.name : "";
    // In some private windows opening fails with InvalidStateError or UnknownError and nothing else to go by.
    if (name === "InvalidStateError" || name === "UnknownError") {
      throw storageError("unavailable", error);
    }
    throw toStorageError(error);
  }
  if (blocked) tell({ kind: "ready" });
  return connection;
}

/**
 * Reads with a connection; one that the browser has closed meanwhile is opened again, once.
 *
 * @throws {StorageError}
 */
export async function readDatabase<T>(body: (database: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const database = await openDatabase();
    try {
      return await body(database);
    } catch (error) {
      const typed = toStorageError(error);
      if (typed.kind !== "closed" || attempt === 2) throw typed;
      await closeDatabase();
    }
  }
}

/**
 * Runs `body` in one transaction and resolves when that is complete, which is when the rows are stored. When `body`
 * throws, nothing of it is stored. `body` may await nothing but requests of its transaction.
 *
 * @throws {StorageError}
 */
export async function writeDatabase<TStores extends StoreName[], T>(
  stores: [...TStores],
  body: (transaction: WriteTransaction<[...TStores]>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const database = await openDatabase();
    let transaction: WriteTransaction<[...TStores]>;
    try {
      transaction = database.transaction(stores, "readwrite");
    } catch (error) {
      const typed = toStorageError(error);
      if (typed.kind !== "closed" || attempt === 2) throw typed;
      await closeDatabase();
      continue;
    }
    const completed = transaction.done.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    let result: T;
    try {
      result = await body(transaction);
    } catch (error) {
      abortQuietly(transaction);
      const failed = await completed;
      // A request that fails for want of space aborts its transaction: that error says more than what body threw.
      throw error instanceof StorageError ? error : betterOf(error, failed?.error);
    }
    const failed = await completed;
    if (failed) throw toStorageError(failed.error);
    return result;
  }
}

function abortQuietly(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended already.
  }
}

function betterOf(first: unknown, second: unknown): StorageError {
  const typed = toStorageError(first);
  return typed.kind === "unknown" && second !== undefined ? toStorageError(second) : typed;
}
