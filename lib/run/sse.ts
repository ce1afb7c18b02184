import { EventSourceParserStream } from "eventsource-parser/stream";
import { parseRunEvent } from "./event-schema";
import type { RunEvent } from "./events";

/** One event as it goes over the wire. `JSON.stringify` leaves no line break inside, so one data line holds it all. */
export function encodeRunEvent(event: RunEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A comment line: readers ignore it, and every box between knows that the connection lives. */
export const sseHeartbeat = ": keep-alive\n\n";

/**
 * The events of a response body, in order, as they arrive. Comments and half events at the end are left out.
 * @throws Error when an event cannot be read; it names the field. Errors of the body itself pass through.
 */
export async function* decodeRunEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<RunEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield parseRunEvent(value.data);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
