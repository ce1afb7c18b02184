import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { KnownApi } from "@/lib/ai/types";
import { apiOfPath } from "./apis";

/** How the exchange ended: answered to the end, left by the client before that, or broken by the server on purpose. */
export type Ending = "answered" | "client-closed" | "server-cut";

/** A request that the server received. */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The API by its path. */
  readonly api: KnownApi | undefined;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
  /** Settles once the connection has nothing more to do with this request. */
  readonly ended: Promise<Ending>;
}

/** Reads the whole request. */
export async function recordRequest(
  message: IncomingMessage,
  ended: Promise<Ending>,
): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const url = new URL(message.url ?? "/", "http://localhost");
  return {
    method: message.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: message.headers,
    api: apiOfPath(url.pathname),
    text,
    body: parseJson(text),
    ended,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
