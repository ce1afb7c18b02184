import type { Metadata } from "next";

export const metadata: Metadata = { title: "Not found · Rill" };

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-content-center p-6">
      <div className="empty">
        <h2>There is nothing at this address</h2>
        <p>It may have been mistyped, or what was here is gone.</p>
        <a className="button mt-2" href="/">
          Go to Rill
        </a>
      </div>
    </main>
  );
}
