/** The vendor's side, in a process of its own so that its CPU time is not counted. Answers `/<api>/<case>/…`. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { KnownApi } from "@/lib/ai/types";
import { answerBody } from "./bodies";
import { type CaseName, cases } from "./cases";

const bodies = new Map<string, Buffer>();

function bodyFor(url: string): Buffer {
  const [, api, name] = url.split("/");
  const key = `${api}/${name}`;
  const known = bodies.get(key);
  if (known) return known;
  const body = Buffer.from(answerBody(api as KnownApi, cases[name as CaseName].content));
  bodies.set(key, body);
  return body;
}

const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.end(bodyFor(request.url ?? ""));
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
