/**
 * What can go wrong with the browser's storage.
 * - `quota`: the disk, or the browser's share of it, is full.
 * - `unavailable`: no storage here (private window, blocked by a setting, no IndexedDB).
 * - `outdated`: another tab runs a newer version of Rill; this page must be reloaded.
 * - `closed`: the browser closed the database under us; the next use opens it again.
 * - `unclonable`: a value that cannot be stored.
 * - `conflict`: the row has changed or gone in another tab.
 */
export type StorageFailureKind =
  | "quota"
  | "unavailable"
  | "outdated"
  | "closed"
  | "unclonable"
  | "conflict"
  | "unknown";

/** `message` says what happened, `nextStep` what the person can do. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly kind: StorageFailureKind;
  readonly nextStep: string;

  constructor(kind: StorageFailureKind, message: string, nextStep: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.nextStep = nextStep;
  }
}

const DESCRIPTIONS: Record<Exclude<StorageFailureKind, "conflict">, [string, string]> = {
  quota: [
    "Not saved: the storage space of this browser is full.",
    "Delete old conversations or free some disk space; saving is tried again by itself.",
  ],
  unavailable: [
    "This browser does not let Rill store anything, so conversations cannot be kept.",
    "Open Rill in a normal (not private) window, or allow this site to store data.",
  ],
  outdated: [
    "Rill was updated in another tab, so this page can no longer save.",
    "Reload this page. An answer that is being written goes on after the reload.",
  ],
  closed: [
    "The browser closed Rill's storage.",
    "Saving is tried again by itself; reload the page if this message stays.",
  ],
  unclonable: [
    "Not saved: a part of the message is of a kind that cannot be stored.",
    "Copy what you need from the page, then send the message again.",
  ],
  unknown: [
    "Not saved: the browser's storage reported an error.",
    "Saving is tried again by itself; reload the page if this message stays.",
  ],
};

const KINDS_BY_NAME: Record<string, Exclude<StorageFailureKind, "conflict">> = {
  QuotaExceededError: "quota",
  VersionError: "outdated",
  SecurityError: "unavailable",
  InvalidStateError: "closed",
  TransactionInactiveError: "closed",
  DataCloneError: "unclonable",
};

/** A StorageError of the given kind in the words that people read. */
export function storageError(
  kind: Exclude<StorageFailureKind, "conflict">,
  cause?: unknown,
): StorageError {
  const [message, nextStep] = DESCRIPTIONS[kind];
  return new StorageError(kind, message, nextStep, cause);
}

/** Any failure of IndexedDB as a StorageError; one that is already typed stays as it is. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const name =
    typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";
  return storageError(KINDS_BY_NAME[name] ?? "unknown", error);
}
