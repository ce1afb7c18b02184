import { sseHeartbeat } from "@/lib/run/sse";
import { sseEncoder } from "./sse-encoder";

/** Silence after which a comment is sent, in ms: boxes between cut connections that say nothing. */
const heartbeatMs = 15_000;

// "no-transform": a compressor in between would hold small events back. Ours does not.
const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * Pieces of SSE text as a response. Its head and a first comment go out at once. Nothing is read ahead of what the client
 * takes. When the client leaves, whichever way that is learned first, `leave` aborts and the pieces are let go.
 * @param acceptEncoding what the request says; the stream is compressed where the client can read that
 */
export function eventStreamResponse(
  pieces: AsyncIterable<string>,
  leave: AbortController,
  client: AbortSignal,
  acceptEncoding: string | null = null,
): Response {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = sseEncoder(acceptEncoding);
  let pending: Promise<IteratorResult<string>> | undefined;
  let closed = false;
  let cancelled = false;

  const close = (): void => {
    if (closed) return;
    closed = true;
    client.removeEventListener("abort", close);
    leave.abort();
    encoder.close();
    void iterator.return?.();
  };
  client.addEventListener("abort", close, { once: true });
  if (client.aborted) close();

  const body = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        if (closed) return;
        const comment = await encoder.encode(sseHeartbeat);
        if (!closed) controller.enqueue(comment);
      },
      async pull(controller) {
        pending ??= iterator.next();
        const next = await withinHeartbeat(pending, leave.signal);
        if (cancelled) return;
        if (closed) return controller.close();
        const isOver = next !== "silent" && next.done === true;
        let bytes: Uint8Array;
        if (next === "silent") {
          bytes = await encoder.encode(sseHeartbeat);
        } else if (next.done) {
          bytes = await encoder.end();
        } else {
          pending = undefined;
          bytes = await encoder.encode(next.value);
        }
        if (cancelled) return;
        if (!closed && bytes.length > 0) controller.enqueue(bytes);
        if (isOver) close();
        if (closed) controller.close();
      },
      cancel() {
        // A cancelled stream is closed already; closing it again would throw.
        cancelled = true;
        close();
      },
    },
    { highWaterMark: 0 },
  );
  const { contentEncoding } = encoder;
  return new Response(body, {
    headers: contentEncoding
      ? { ...headers, "content-encoding": contentEncoding, vary: "accept-encoding" }
      : headers,
  });
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
