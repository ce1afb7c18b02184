import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ListRequest {
  method: string;
  /** With its query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** JSON to answer with, or a function that answers by itself. */
export type ListAnswer =
  | { json: unknown; status?: number }
  | ((request: ListRequest, response: ServerResponse) => void);

export interface ModelServer {
  origin: string;
  requests: ListRequest[];
  /** Answers by path, the query not counted; may be changed at any time. Other paths are not found. */
  routes: Record<string, ListAnswer>;
  stop(): Promise<void>;
}

/** A host on loopback that lists models. */
export async function startModelServer(routes: Record<string, ListAnswer>): Promise<ModelServer> {
  const made: ModelServer = { origin: "", requests: [], routes, stop: async () => {} };
  const server = createServer(async (incoming, response) => {
    let body = "";
    for await (const piece of incoming.setEncoding("utf8")) body += piece;
    const { method = "", url = "", headers } = incoming;
    const request = { method, url, headers, body };
    made.requests.push(request);
    const answer = made.routes[url.split("?")[0] ?? ""] ?? { status: 404, json: {} };
    if (typeof answer === "function") return answer(request, response);
    response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.json));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  made.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  made.stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return made;
}
