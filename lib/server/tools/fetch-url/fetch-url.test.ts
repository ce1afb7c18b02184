import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { guardedFetch } from "../../outbound";
import type { FetchDocumentOptions } from "./fetch-document";
import { fetchUrlTool } from "./fetch-url";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(handler: RequestListener): Promise<string> {
  server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server?.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function read(
  url: string,
  args: Record<string, unknown> = {},
  options: FetchDocumentOptions = {},
  signal = new AbortController().signal,
) {
  const tool = fetchUrlTool({ fetch: guardedFetch("public-and-loopback"), ...options });
  const result = await tool.execute("1", { url, ...args }, signal, () => {});
  const [block] = result.content;
  return { ...result, text: block?.type === "text" ? block.text : "" };
}

const serve = (type: string, body: string | Uint8Array, status = 200, headers = {}) =>
  listen((_request, response) => {
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
  });

const paragraph = "A river is a natural stream of fresh water that flows on land. ".repeat(6);
const page = `<!doctype html><html><head><title>Rivers &amp; rills</title><style>p{}</style></head><body>
<nav><a href="/">Home</a> <a href="/login">Log in</a></nav>
<article><h1>Rivers</h1><p>${paragraph}</p><h2>Names</h2><p>${paragraph}</p>
<ul><li>Nile</li><li>Rhine</li></ul><table><tr><th>Name</th><th>km</th></tr><tr><td>Rhine</td><td>1230</td></tr></table>
<pre>a
  b</pre><script>steal()</script></article><footer>Imprint</footer></body></html>`;

/** A PDF of one page. */
function pdf(text: string): Uint8Array {
  const stream = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const start = file.length;
  file += `xref\n0 6\n0000000000 65535 f \n${places.join("")}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return new TextEncoder().encode(file);
}

describe("fetch_url", () => {
  it("reads what a page says, without what stands around it", async () => {
    const url = await serve("text/html; charset=utf-8", page);
    const { text, details, isError } = await read(`${url}/rivers#names`);
    expect(text).toContain(`Title: Rivers & rills\nAddress: ${url}/rivers\n\n`);
    expect(text).toContain("## Names");
    expect(text).toContain("- Nile\n- Rhine");
    expect(text).toContain("Rhine | 1230");
    expect(text).toContain("a\n  b");
    expect(text).not.toMatch(/steal|Log in|p\{\}/);
    expect(details).toMatchObject({
      url: `${url}/rivers`,
      status: 200,
      mediaType: "text/html",
      title: "Rivers & rills",
    });
    expect(isError).toBe(false);
  });

  it("reads a page that is no article as a whole, and one that is nested without measure", async () => {
    const url = await serve("text/html", "<title>Hi</title><p>Short.<p>Two");
    expect((await read(url)).text).toContain("Short.\n\nTwo");
    server?.close();
    const deep = await serve("text/html", `<p>First.${"<div>".repeat(20_000)}deep`);
    expect((await read(deep)).text).toContain("First.");
  });

  it.each([
    ["application/json", '{"a":[1]}', '{\n "a": [\n  1\n ]\n}'],
    ["application/problem+json", "{oops", "{oops"],
    ["text/plain; charset=iso-8859-1", new Uint8Array([0xfc, 0x62]), "üb"],
    ["text/csv; charset=nonsense", "a,b", "a,b"],
    ["", "plain", "plain"],
  ])("reads %s", async (type, body, expected) => {
    expect((await read(await serve(type, body))).text).toContain(`\n\n${expected}`);
  });

  it("reads the encoding that a page declares in its head", async () => {
    const body = Buffer.from('<meta charset="windows-1252"><p>na\xefve', "latin1");
    expect((await read(await serve("text/html", body))).text).toContain("naïve");
  });

  it("reads a PDF, and says of a broken one that it is", async () => {
    const { text } = await read(await serve("application/pdf", pdf("Hello from a page")));
    expect(text).toContain("[Page 1 of 1]\nHello from a page");
    server?.close();
    const broken = await serve("application/pdf", "%PDF-1.4 nothing");
    await expect(read(broken)).rejects.toThrow("The PDF cannot be read");
  });

  it("refuses what has no text", async () => {
    const url = await serve("image/png", new Uint8Array([1, 0]));
    await expect(read(url)).rejects.toThrow("The document is image/png: only pages");
  });

  it("gives a long document in parts", async () => {
    const url = await serve("text/plain", "x".repeat(30_000) + "y".repeat(10));
    const first = await read(url);
    expect(first.text).toContain("[Characters 0 to 30000 of 30010. Ask again with start: 30000");
    const second = await read(url, { start: 30_000 });
    expect(second.text).toMatch(/\n\ny{10}$/);
    expect((await read(url, { start: 99_999 })).text).toContain(
      "[There is no text at this place.]",
    );
  });

  it("stops reading at the limit of size, also inside of what is compressed", async () => {
    const zeros = gzipSync("0".repeat(3_000_000));
    const url = await serve("text/plain", zeros, 200, { "content-encoding": "gzip" });
    const { text, details } = await read(url, {}, { maxBytes: 1000 });
    expect(details).toMatchObject({ length: 1000 });
    expect(text).toContain("too large to be read further");
  });

  it("gives an error page as an error, with what it says", async () => {
    const url = await serve("text/plain", "No such river.", 404);
    const { text, isError } = await read(url);
    expect(isError).toBe(true);
    expect(text).toMatch(/^The server answered with status 404\.[\s\S]*No such river\./);
  });

  it("says that nothing answers", async () => {
    const url = await serve("text/plain", "");
    await new Promise((resolve) => server?.close(resolve));
    await expect(read(url)).rejects.toThrow("nothing answers there");
  });

  it("closes its connection when it is stopped", async () => {
    const stop = new AbortController();
    let closed: (() => void) | undefined;
    const socketClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await listen((request, response) => {
      request.socket.on("close", () => closed?.());
      response.writeHead(200, { "content-type": "text/plain" }).write("first");
      stop.abort(new Error("stopped"));
    });
    await expect(read(url, {}, {}, stop.signal)).rejects.toThrow();
    await socketClosed;
  });

  it("sends no cookie, key or referrer, and says who asks", async () => {
    let seen: Record<string, unknown> = {};
    const url = await listen((request, response) => {
      seen = request.headers;
      response.setHeader("content-type", "text/plain").end("ok");
    });
    await read(url);
    expect(Object.keys(seen).sort()).toEqual([
      "accept",
      "accept-encoding",
      "accept-language",
      "connection",
      "host",
      "user-agent",
    ]);
  });
});
