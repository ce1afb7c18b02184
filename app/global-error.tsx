"use client";

/** The last resort, without any style of ours: the page around everything else could not be drawn. */
export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <main role="alert">
          <h1>Rill could not be shown</h1>
          <p>Your conversations are stored in this browser and safe.</p>
          <button type="button" onClick={reset}>
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
