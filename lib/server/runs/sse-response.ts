import { sseHeartbeat } from "@/lib/run/sse";

/** Silence after which a comment is sent, in ms: boxes between cut connections that say nothing. */
const heartbeatMs = 15_000;

// Without "no-transform": the server compresses the stream for who can read that, and flushes with every piece, so that an
// event takes about a sixth of its length.
const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/**
 * Pieces of SSE text as a response. Its head and a first comment go out at once. Nothing is read ahead of what the client
 * takes. When the client leaves, whichever way that is learned first, `leave` aborts and the pieces are let go.
 */
export function eventStreamResponse(
  pieces: AsyncIterable<string>,
  leave: AbortController,
  client: AbortSignal,
): Response {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<string>> | undefined;
  let closed = false;
  let cancelled = false;

  const close = (): void => {
    if (closed) return;
    closed = true;
    client.removeEventListener("abort", close);
    leave.abort();
    void iterator.return?.();
  };
  client.addEventListener("abort", close, { once: true });
  if (client.aborted) close();

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(sseHeartbeat));
      },
      async pull(controller) {
        pending ??= iterator.next();
        const next = await withinHeartbeat(pending, leave.signal);
        if (cancelled) return;
        if (closed) {
          controller.close();
        } else if (next === "silent") {
          controller.enqueue(encoder.encode(sseHeartbeat));
        } else if (next.done) {
          close();
          controller.close();
        } else {
          pending = undefined;
          controller.enqueue(encoder.encode(next.value));
        }
      },
      cancel() {
        // A cancelled stream is closed already; closing it again would throw.
        cancelled = true;
        close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}

async function withinHeartbeat<T>(pending: Promise<T>, signal: AbortSignal): Promise<T | "silent"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<"silent">((resolve) => {
    if (!signal.aborted) timer = setTimeout(resolve, heartbeatMs, "silent");
  });
  try {
    return await Promise.race([pending, silence]);
  } finally {
    clearTimeout(timer);
  }
}
