import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  /** Parsed JSON. */
  body: Record<string, unknown>;
}

export interface VendorAnswer {
  status?: number;
  contentType?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Bytes of a network chunk; default: the whole body in one. */
  chunk?: number;
  /** Keep the connection open, in silence, after the body. */
  thenSilence?: boolean;
}

export interface VendorServer {
  /** Without a path. */
  origin: string;
  requests: ReceivedRequest[];
  /** Settles once a client has closed an exchange that was kept open. */
  closed: Promise<void>;
  stop(): Promise<void>;
}

/** A vendor on loopback that gives the answers in turn, the last one again and again. For tests of adapters. */
export async function startVendor(...answers: VendorAnswer[]): Promise<VendorServer> {
  const requests: ReceivedRequest[] = [];
  let onClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  const server = createServer(async (incoming, response) => {
    let text = "";
    for await (const piece of incoming.setEncoding("utf8")) text += piece;
    requests.push({
      method: incoming.method ?? "",
      url: incoming.url ?? "",
      headers: incoming.headers,
      body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
    });
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? {};
    response.once("close", () => {
      if (!response.writableFinished) onClosed();
    });
    await write(response, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    closed,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function write(response: ServerResponse, answer: VendorAnswer): Promise<void> {
  response.writeHead(answer.status ?? 200, {
    "content-type": answer.contentType ?? "text/event-stream; charset=utf-8",
    ...answer.headers,
  });
  const body = Buffer.from(answer.body ?? "", "utf8");
  const size = answer.chunk ?? Math.max(1, body.length);
  for (let at = 0; at < body.length && !response.destroyed; at += size) {
    await new Promise<void>((resolve) =>
      response.write(body.subarray(at, at + size), () => setImmediate(resolve)),
    );
  }
  if (!answer.thenSilence) response.end();
}

/** Events in the framing of server-sent events, each with its `type` as name where it has one and `named` is set. */
export function sse(events: unknown[], named = false): string {
  return events
    .map((event) => {
      const name = named ? (event as { type?: string }).type : undefined;
      return `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");
}
