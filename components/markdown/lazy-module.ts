import { useSyncExternalStore } from "react";

export interface LazyModule<T> {
  /** The module once it is there; asking for it starts loading it when `wanted`. */
  use: (wanted?: boolean) => T | undefined;
}

/** A module that is fetched when something on the page first needs it, and drawn without until then. */
export function lazyModule<T>(load: () => Promise<T>): LazyModule<T> {
  let loaded: T | undefined;
  let started = false;
  const listeners = new Set<() => void>();
  const start = (): void => {
    if (started) return;
    started = true;
    load().then(
      (module) => {
        loaded = module;
        for (const listener of listeners) listener();
      },
      // Without the network the plain text stays; the next component that needs it tries again.
      () => {
        started = false;
      },
    );
  };
  const subscribe = (listener: () => void): (() => void) => {
    start();
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const idle = (): (() => void) => () => undefined;
  return {
    use: (wanted = true) =>
      useSyncExternalStore(
        wanted ? subscribe : idle,
        () => (wanted ? loaded : undefined),
        () => undefined,
      ),
  };
}
