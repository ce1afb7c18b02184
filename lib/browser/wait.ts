/**
 * Waits that many milliseconds, or until the browser is back online, the page is shown again, or `signal` is aborted.
 * Never rejects.
 */
export function waitForRetry(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const page = typeof document === "undefined" ? undefined : document;
    const browser = typeof window === "undefined" ? undefined : window;
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      browser?.removeEventListener("online", finish);
      page?.removeEventListener("visibilitychange", shown);
      resolve();
    };
    const shown = (): void => {
      if (page?.visibilityState === "visible") finish();
    };
    const timer = setTimeout(finish, delayMs);
    signal.addEventListener("abort", finish);
    browser?.addEventListener("online", finish);
    page?.addEventListener("visibilitychange", shown);
  });
}
