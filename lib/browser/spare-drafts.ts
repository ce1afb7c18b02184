import * as z from "zod/mini";

const KEY = "rill-unsaved-drafts";
const schema = z.record(z.string(), z.string());

/**
 * Keeps drafts where they are stored at once: a page that is left may end before IndexedDB has begun to write. Text by
 * conversation id; an empty text says that the draft was emptied.
 */
export function keepSpareDrafts(changed: Record<string, string>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...readSpareDrafts(), ...changed }));
  } catch {
    // No room or not allowed: what IndexedDB gets is all there is then.
  }
}

/** What was kept and never stored. */
export function readSpareDrafts(): Record<string, string> {
  try {
    const parsed = z.safeParse(schema, JSON.parse(localStorage.getItem(KEY) ?? "{}"));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

/** Forgets what is stored by now, unless another text was kept since. */
export function dropSpareDrafts(stored: Record<string, string>): void {
  const spare = readSpareDrafts();
  const left = Object.entries(spare).filter(([id, text]) => stored[id] !== text);
  if (left.length === Object.keys(spare).length) return;
  try {
    if (left.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(left)));
  } catch {
    // It is read again next time, and says the same as what is stored.
  }
}
