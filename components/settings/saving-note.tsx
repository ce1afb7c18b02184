"use client";

import { useState } from "react";

/** Runs changes of settings and keeps why the last one could not be stored. */
export function useSaving(): {
  error: string | undefined;
  run: (save: () => Promise<void>) => void;
} {
  const [error, setError] = useState<string>();
  return {
    error,
    run: (save) => {
      save().then(
        () => setError(undefined),
        (cause: unknown) => setError(cause instanceof Error ? cause.message : String(cause)),
      );
    },
  };
}

export function SavingNote({ error }: { error: string | undefined }) {
  if (!error) return null;
  return (
    <p role="alert" className="rounded-xl bg-danger-soft p-3 text-sm text-danger">
      {error}
    </p>
  );
}
