import { createParser, type EventSourceMessage } from "eventsource-parser";
import { htmlTitle, ProviderError, vendorMessage } from "./errors.ts";
import type { RequestGuard } from "./request-guard.ts";

export interface ServerEvent {
  /** The `event:` line, if there was one. */
  name: string | undefined;
  data: string;
  /** Which network chunk completed the event, from 0. */
  chunk: number;
}

const headLimit = 64 * 1024;

/**
 * Reads a response's body as server-sent events, a network chunk at a time, so that the caller can work through many
 * events without waiting in between. Any chunk border, line ending, comment and missing last blank line is fine.
 *
 * A body without a single event is a failure told in another shape (a JSON error, an HTML page): its text becomes the error.
 * @throws ProviderError for such a body, and what the guard says on abort and on silence
 */
export async function* readServerEvents(
  response: Response,
  guard: RequestGuard,
): AsyncGenerator<ServerEvent[], void> {
  const reader = response.body?.getReader();
  if (!reader) throw new ProviderError("The answer has no body.", { status: response.status });
  const decoder = new TextDecoder();
  let chunk = 0;
  let seen = 0;
  let head = "";
  let ready: ServerEvent[] = [];
  const parser = createParser({
    onEvent(event: EventSourceMessage) {
      ready.push({ name: event.event, data: event.data, chunk });
    },
  });
  const feed = (text: string): ServerEvent[] => {
    if (seen === 0 && head.length < headLimit) head += text;
    ready = [];
    parser.feed(text);
    seen += ready.length;
    return ready;
  };
  try {
    for (;;) {
      const next = await guard.race(reader.read());
      if (next.done) break;
      guard.touch();
      const events = feed(decoder.decode(next.value, { stream: true }));
      if (events.length > 0) yield events;
      chunk++;
    }
    const rest = feed(`${decoder.decode()}\n\n`);
    if (rest.length > 0) yield rest;
    if (seen === 0) throw notAStream(response, head);
  } finally {
    // Frees the socket when the caller stops early; there is nobody left to tell if that fails too.
    reader.cancel().catch(() => {});
  }
}

function notAStream(response: Response, head: string): ProviderError {
  const text = head.trim();
  const html = htmlTitle(text);
  if (html) {
    return new ProviderError(`The host answered with ${html}`, {
      errorClass: "invalid-request",
      status: response.status,
    });
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const told = parsed === undefined ? undefined : vendorMessage(parsed);
  if (told) return new ProviderError(told, { body: text.slice(0, 4000) });
  if (parsed !== undefined) {
    return new ProviderError("The host answered with one JSON document instead of a stream.", {
      errorClass: "invalid-request",
    });
  }
  return text
    ? new ProviderError(`The host answered with text instead of a stream: ${text.slice(0, 300)}`, {
        errorClass: "invalid-request",
      })
    : new ProviderError("The stream ended before its first event.", { errorClass: "ended-early" });
}

/** The JSON values of one event: usually one; some hosts put several lines in one event. Not JSON: none. */
export function parseEventData(data: string): unknown[] {
  try {
    return [JSON.parse(data)];
  } catch {
    if (!data.includes("\n")) return [];
    return data.split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
  }
}
