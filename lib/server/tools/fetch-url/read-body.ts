/** A body up to a limit of bytes, counted after decompression: a small file can unpack to a huge one. */
export async function readBody(
  response: Response,
  maxBytes: number,
): Promise<{ body: Uint8Array; cut: boolean }> {
  const stream = response.body && decompressed(response.body, response.headers);
  if (!stream) return { body: new Uint8Array(), cut: false };
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return { body: join(chunks, size), cut: false };
    const room = maxBytes - size;
    if (value.length > room) {
      chunks.push(value.subarray(0, room));
      await reader.cancel().catch(() => {});
      return { body: join(chunks, maxBytes), cut: true };
    }
    chunks.push(value);
    size += value.length;
  }
}

/** Servers are asked not to compress; some do all the same. */
function decompressed(
  body: ReadableStream<Uint8Array>,
  headers: Headers,
): ReadableStream<Uint8Array> {
  const encoding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  switch (encoding) {
    case "identity":
    case "":
      return body;
    case "gzip":
    case "x-gzip":
      return body.pipeThrough(unpack("gzip"));
    case "deflate":
      return body.pipeThrough(unpack("deflate"));
    default:
      throw new Error(`The document is compressed in a way that cannot be read: ${encoding}.`);
  }
}

// The platform's types disagree about the kind of buffer behind a chunk.
const unpack = (format: "gzip" | "deflate") =>
  new DecompressionStream(format) as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;

function join(chunks: Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
