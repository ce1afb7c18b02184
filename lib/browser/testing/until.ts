interface Watchable<T> {
  getState(): T;
  subscribe(listener: (state: T) => void): () => void;
}

/** Resolves with the store's state as soon as the condition holds. */
export function until<T>(store: Watchable<T>, condition: (state: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const check = (state: T): void => {
      if (!condition(state)) return;
      unsubscribe();
      resolve(state);
    };
    const unsubscribe = store.subscribe(check);
    check(store.getState());
  });
}

/** Lets everything happen that is on its way already. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
}
