let asked = false;

/**
 * Asks the browser, once per page, not to clear Rill's data when space runs low. Called when there is something worth
 * keeping; some browsers show a question then.
 */
export async function askToPersist(): Promise<void> {
  if (asked) return;
  asked = true;
  const storage = globalThis.navigator?.storage as StorageManager | undefined;
  try {
    if (storage?.persist && !(await storage.persisted())) await storage.persist();
  } catch {
    // The data is stored either way; the settings show whether it may be cleared.
  }
}
