/**
 * What can go wrong with the browser's storage.
 * - `quota`: the disk or the browser's share of it is full.
 * - `unavailable`: no storage here (private window, blocked by a setting, no IndexedDB).
 * - `outdated`: another tab runs a newer version of Rill; this page must be reloaded.
 * - `blocked`: a tab with an older version keeps the database busy.
 * - `closed`: the browser closed the database under us; the next use opens it again.
 * - `unclonable`: a value that cannot be stored.
 * - `conflict`: the row has changed or gone in another tab.
 */
export type StorageFailureKind =
  | "quota"
  | "unavailable"
  | "outdated"
  | "blocked"
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
