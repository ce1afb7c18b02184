import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { replaceRuntime } from "@/lib/server/runtime";
import { useRuntime } from "../testing/run-api";
import { GET } from "./route";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  replaceRuntime(undefined);
});

async function listen(handler: RequestListener): Promise<string> {
  server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server?.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (body: string | Uint8Array, status = 200, headers = {}) =>
  listen((_request, response) => void response.writeHead(status, headers).end(body));

const ask = (url: string, headers: Record<string, string> = {}) =>
  GET(new Request(`http://localhost:3000/api/images?url=${encodeURIComponent(url)}`, { headers }));

async function failure(response: Response): Promise<[number, string, string]> {
  const { error } = await response.json();
  return [response.status, error.code, error.message];
}

const anywhere = { RILL_ALLOW_PRIVATE_HOSTS: "1" };
const gif = Uint8Array.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0, 0, 0, 0x3b]);

describe("an image that a person asked to see", () => {
  it("comes as what its bytes are, and tells its host nothing of the person", async () => {
    useRuntime([], anywhere);
    let seen: Record<string, unknown> = {};
    const origin = await listen((request, response) => {
      seen = request.headers;
      response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=b" }).end(gif);
    });
    const response = await ask(`${origin}/cat`, {
      cookie: "rill_access=secret",
      referer: "http://localhost:3000/c/1",
      "sec-fetch-site": "same-origin",
    });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      "cache-control": "private, max-age=86400",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-type": "image/gif",
    });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(gif);
    expect([seen.cookie, seen.referer, seen.authorization]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is refused at a private address", async () => {
    useRuntime([]);
    const origin = await serve(gif);
    expect(await failure(await ask(origin))).toEqual([
      502,
      "image-unreachable",
      "The image cannot be had: 127.0.0.1:".concat(
        new URL(origin).port,
        " cannot be fetched: 127.0.0.1 is a private address: refused.",
      ),
    ]);
  });

  it.each([
    ["a page", "<html>", 415, "not-an-image"],
    [
      "a drawing that may hold script",
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      415,
      "not-an-image",
    ],
    ["nothing", "", 415, "not-an-image"],
  ])("is not %s", async (_name, body, status, code) => {
    useRuntime([], anywhere);
    const origin = await serve(body, 200, { "content-type": "image/png" });
    expect((await failure(await ask(origin))).slice(0, 2)).toEqual([status, code]);
  });

  it("is not an error page, nor larger than 10 MB", async () => {
    useRuntime([], anywhere);
    expect(await failure(await ask(await serve(gif, 404)))).toEqual([
      502,
      "image-unreachable",
      "The image cannot be had. Its server answered with status 404.",
    ]);
    server?.close();
    const large = new Uint8Array(10 * 1024 * 1024 + 1);
    large.set(gif);
    expect((await failure(await ask(await serve(large)))).slice(0, 2)).toEqual([
      413,
      "image-too-large",
    ]);
  });

  it("is for our own pages only, and needs an address", async () => {
    useRuntime([], anywhere);
    const foreign = await ask("https://pics.example/", { "sec-fetch-site": "cross-site" });
    expect((await failure(foreign)).slice(0, 2)).toEqual([403, "forbidden-origin"]);
    expect(await failure(await ask(""))).toEqual([400, "invalid-request", "url: missing."]);
    expect((await failure(await ask("file:///etc/passwd")))[2]).toContain("only http and https");
  });
});
