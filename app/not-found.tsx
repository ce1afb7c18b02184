export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center p-6 text-center">
      <div className="space-y-3">
        <h1 className="text-xl font-semibold">There is nothing here</h1>
        <p className="text-ink-2">The address may be mistyped.</p>
        <a className="button" href="/">
          New chat
        </a>
      </div>
    </main>
  );
}
