/**
 * Runs `body` while this tab holds the lock of that name. When another tab has it, `onWaiting` is called and `body` runs
 * once that tab gives it up or is closed. Resolves when body has ended, or without running it when `signal` was aborted
 * while it waited.
 *
 * Without Web Locks (a page without TLS) `body` runs at once, in every tab.
 */
export async function holdLock(
  name: string,
  signal: AbortSignal,
  body: () => Promise<void>,
  onWaiting: () => void = () => {},
): Promise<void> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks) {
    if (!signal.aborted) await body();
    return;
  }
  const got = await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await body();
    return lock !== null;
  });
  if (got || signal.aborted) return;
  onWaiting();
  let running = false;
  try {
    await locks.request(name, { signal }, async () => {
      running = true;
      await body();
    });
  } catch (error) {
    if (running || !signal.aborted) throw error;
  }
}
