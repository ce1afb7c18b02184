"use client";

/** A fault in drawing. What was written is stored already. */
export default function ErrorPage({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6 text-center">
      <div className="space-y-3" role="alert">
        <h1 className="text-xl font-semibold">This page could not be shown</h1>
        <p className="text-ink-2">Your conversations are safe in this browser.</p>
        <p className="flex justify-center gap-2">
          <button type="button" className="button button-primary" onClick={reset}>
            Try again
          </button>
          <a className="button" href="/">
            New chat
          </a>
        </p>
      </div>
    </main>
  );
}
