import { HttpError } from "./errors";

/**
 * The body as JSON, never more than `limit` bytes of it. @throws HttpError 413 or 400
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const tooLarge = (): HttpError =>
    new HttpError(413, "too-large", `body: larger than ${Math.floor(limit / 1024)} KiB.`, "body");
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new HttpError(400, "bad-json", "body: not valid JSON.", "body");
  }
}
