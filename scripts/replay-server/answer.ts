import type { Gate } from "./gate";
import type { RecordedRequest } from "./recorded-request";
import type { Split } from "./split";

export type BodyPart = string | Uint8Array | Gate;

/** What the server sends for one request. */
export interface Answer {
  /** Default 200. */
  status?: number;
  /** Default `text/event-stream`. */
  contentType?: string;
  headers?: Record<string, string>;
  body?: BodyPart | readonly BodyPart[];
  /** Default: each part is one chunk. */
  split?: Split;
  /**
   * What follows the body: a proper end (the default), a connection that breaks, or silence on an open one until the
   * client leaves.
   */
  ending?: "end" | "cut" | "silence";
}

export type Handler = (request: RecordedRequest) => Answer | Promise<Answer>;

/** Server-sent events: each data object as one event, named where a pair names it. */
export function sse(
  ...events: readonly (unknown | readonly [name: string, data: unknown])[]
): string {
  return events
    .map((event) => {
      const named = Array.isArray(event) && event.length === 2 && typeof event[0] === "string";
      const [name, data] = named ? (event as [string, unknown]) : [undefined, event];
      const text = typeof data === "string" ? data : JSON.stringify(data);
      return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
    })
    .join("");
}

/** An answer of one JSON value, such as a vendor's error. */
export function json(status: number, value: unknown, headers?: Record<string, string>): Answer {
  return { status, contentType: "application/json", headers, body: JSON.stringify(value) };
}
