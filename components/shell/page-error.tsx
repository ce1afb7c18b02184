"use client";

/** In place of a page that could not be drawn. What is stored is not touched by it. */
export function PageError({ error, reset }: { error: Error; reset: () => void }) {
  return (
    <main className="grid flex-1 place-content-center p-6">
      <div className="empty" role="alert">
        <h2>This page could not be shown</h2>
        <p>Your conversations are stored and safe. {error.message}</p>
        <button type="button" className="button mt-2" onClick={reset}>
          Try again
        </button>
      </div>
    </main>
  );
}
