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
const graceMs = 500;

/** Who reads the events of a body. */
export interface ServerEventTaker {
  /** Gets each event as soon as its last byte has come. What it throws ends the reading. */
  event(event: ServerEvent): void;
  /** After the events of a network chunk, if there were any. Says whether more is wanted. */
  wantsMore?(): boolean | Promise<boolean>;
  /** Whether a body that breaks off with this error has told all nevertheless. */
  endsWell?(error: unknown): boolean;
}

/**
 * Reads a response's body as server-sent events. Any chunk border, line ending, comment and missing last blank line is fine.
 *
 * A body without a single event is a failure told in another shape (a JSON error, an HTML page): its text becomes the error.
 * @throws ProviderError for such a body, what the guard says on abort and on silence, and what the taker throws
 */
export async function readServerEvents(
  response: Response,
  guard: RequestGuard,
  taker: ServerEventTaker,
): Promise<void> {
  const reader = response.body?.getReader();
  if (!reader) throw new ProviderError("The answer has no body.", { status: response.status });
  const decoder = new TextDecoder();
  let chunk = 0;
  let seen = 0;
  let head = "";
  const parser = createParser({
    onEvent({ event, data }: EventSourceMessage) {
      seen++;
      taker.event({ name: event, data, chunk });
    },
  });
  const feed = (text: string): void => {
    if (seen === 0 && head.length < headLimit) head += text;
    parser.feed(text);
  };
  let satisfied = false;
  try {
    for (;;) {
      let next: Awaited<ReturnType<typeof reader.read>>;
      try {
        next = await guard.race(reader.read());
      } catch (error) {
        if (taker.endsWell?.(error)) return;
        throw error;
      }
      if (next.done) break;
      guard.touch();
      const before = seen;
      feed(decoder.decode(next.value, { stream: true }));
      chunk++;
      if (seen === before) continue;
      const more = taker.wantsMore?.() ?? true;
      if (more !== true && !(await more)) {
        satisfied = true;
        return;
      }
    }
    feed(`${decoder.decode()}\n\n`);
    if (seen === 0) throw notAStream(response, head);
    await taker.wantsMore?.();
  } finally {
    if (satisfied) letGo(reader);
    else cancel(reader);
  }
}

/**
 * Reads what little is left behind the last event, so that the connection serves the next request too. A host that leaves it
 * open has it closed.
 */
function letGo(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  const timer = setTimeout(() => cancel(reader), graceMs);
  const readOn = (): void => {
    reader.read().then(
      ({ done }) => (done ? clearTimeout(timer) : readOn()),
      () => clearTimeout(timer),
    );
  };
  readOn();
}

/** Frees the socket; there is nobody left to tell if that fails too. */
function cancel(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  reader.cancel().catch(() => {});
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
