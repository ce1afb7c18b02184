import { waitForRetry } from "./wait";

/** What a run session needs of the page that it lives in. */
export interface Page {
  /** Ms since the epoch. */
  now(): number;
  /** Calls back before the next picture is drawn; in a hidden page, where none is, a moment later. */
  beforeNextFrame(callback: () => void): void;
  /** Calls back after that many ms; returns how to call it off. */
  after(delayMs: number, callback: () => void): () => void;
  /** Waits that long, or until there is reason to try again sooner. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Calls back when the page is hidden or left, which may be the last chance to store something. */
  onHidden(callback: () => void): () => void;
  /** Calls back when the page is shown again; it may have missed everything meanwhile. */
  onShown(callback: () => void): () => void;
  /** Calls back when the browser has come back online. */
  onOnline(callback: () => void): () => void;
}

const HIDDEN_FRAME_MS = 250;

/** The page of the browser. */
export const browserPage: Page = {
  now: () => Date.now(),
  beforeNextFrame(callback) {
    if (document.visibilityState === "hidden") setTimeout(callback, HIDDEN_FRAME_MS);
    else requestAnimationFrame(callback);
  },
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  wait: waitForRetry,
  onHidden(callback) {
    const hidden = (): void => {
      if (document.visibilityState === "hidden") callback();
    };
    document.addEventListener("visibilitychange", hidden);
    window.addEventListener("pagehide", callback);
    return () => {
      document.removeEventListener("visibilitychange", hidden);
      window.removeEventListener("pagehide", callback);
    };
  },
  onShown(callback) {
    const shown = (): void => {
      if (document.visibilityState === "visible") callback();
    };
    document.addEventListener("visibilitychange", shown);
    window.addEventListener("pageshow", shown);
    return () => {
      document.removeEventListener("visibilitychange", shown);
      window.removeEventListener("pageshow", shown);
    };
  },
  onOnline(callback) {
    window.addEventListener("online", callback);
    return () => window.removeEventListener("online", callback);
  },
};
