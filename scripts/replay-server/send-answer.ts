import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Answer, BodyPart } from "./answer";
import { Gate } from "./gate";
import { Splitter } from "./split";

/**
 * Turns of the event loop that a reader in this process needs to get from a response's head to its first read. Chunks that
 * come before it would be read as one.
 */
const turnsToFirstRead = 20;

/**
 * Sends an answer. Each piece is one chunk of the body. Comes back when everything is sent or the client has left; an answer
 * that does not end properly is left open.
 *
 * @param closed aborted when the client has left
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  closed: AbortSignal,
): Promise<void> {
  response.writeHead(answer.status ?? 200, {
    "content-type": answer.contentType ?? "text/event-stream",
    "cache-control": "no-store",
    ...answer.headers,
  });
  response.flushHeaders();
  const splitter = new Splitter(answer.split);
  if (answer.split !== undefined) {
    for (let turn = 0; turn < turnsToFirstRead; turn++) await nextTurn();
  }
  try {
    for (const part of partsOf(answer.body)) {
      if (part instanceof Gate) {
        part.enter();
        await unlessClosed(part.opened, closed);
      } else {
        const bytes = typeof part === "string" ? Buffer.from(part, "utf8") : part;
        await write(response, splitter.pieces(bytes), closed);
      }
    }
  } catch (error) {
    if (closed.aborted) return;
    throw error;
  }
  if ((answer.ending ?? "end") === "end") response.end();
}

function partsOf(body: Answer["body"]): readonly BodyPart[] {
  if (body === undefined) return [];
  const isOne = typeof body === "string" || body instanceof Uint8Array || body instanceof Gate;
  return isOne ? [body] : body;
}

async function write(
  response: ServerResponse,
  pieces: Uint8Array[],
  closed: AbortSignal,
): Promise<void> {
  for (const piece of pieces) {
    closed.throwIfAborted();
    if (!response.write(piece)) await once(response, "drain", { signal: closed });
    // A reader that finds two chunks waiting gets them as one, so it has a turn after each.
    await nextTurn();
  }
  // A gate is reached, and a connection cut, only after what stands before it has left.
  if (response.writableLength > 0) await flushed(response, closed);
}

function flushed(response: ServerResponse, closed: AbortSignal): Promise<void> {
  return unlessClosed(new Promise((resolve) => response.write("", () => resolve())), closed);
}

/** The promise, or a failure when the client leaves first. */
function unlessClosed(promise: Promise<void>, closed: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(closed.reason);
    if (closed.aborted) return leave();
    closed.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => closed.removeEventListener("abort", leave));
  });
}
