import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { isAllowedAddress } from "./addresses";
import { HttpError } from "./errors";
import { addressPolicy, assertAllowedUrl, guardedFetch } from "./outbound";

describe("isAllowedAddress", () => {
  it.each([
    "127.0.0.1",
    "127.255.0.9",
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "::7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b::10.0.0.1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "fd00::1",
    "fe80::1%eth0",
    "[fe80::1]",
    "ff02::1",
    "example.com",
    "",
  ])("refuses %s", (address) => {
    expect(isAllowedAddress(address, "public")).toBe(false);
  });

  it.each([
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "64:ff9b::8.8.8.8",
    "::ffff:8.8.8.8",
  ])("allows %s", (address) => {
    expect(isAllowedAddress(address, "public")).toBe(true);
  });

  it("lets loopback and nothing else of the private kind pass where the server is one's own", () => {
    const allowed = ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254"].filter(
      (address) => isAllowedAddress(address, "public-and-loopback"),
    );
    expect(allowed).toEqual(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
    expect(isAllowedAddress("10.0.0.1", "any")).toBe(true);
  });
});

describe("addressPolicy", () => {
  it("follows who can reach the server, unless the operator says otherwise", () => {
    expect([
      addressPolicy({ allowPrivateHosts: false, loopbackOnly: true }),
      addressPolicy({ allowPrivateHosts: false, loopbackOnly: false }),
      addressPolicy({ allowPrivateHosts: true, loopbackOnly: false }),
    ]).toEqual(["public-and-loopback", "public", "any"]);
  });
});

describe("assertAllowedUrl", () => {
  const names: Record<string, string[]> = {
    "public.example": ["93.184.216.34"],
    "mixed.example": ["93.184.216.34", "10.0.0.1"],
    "inside.example": ["192.168.0.5"],
  };
  const resolve = async (host: string): Promise<string[]> => {
    const found = names[host];
    if (!found) throw new Error("ENOTFOUND");
    return found;
  };
  const check = (url: string) => assertAllowedUrl(url, "public", "model.baseUrl", resolve);

  it("lets a public address pass", async () => {
    await expect(check("https://public.example/v1")).resolves.toBeUndefined();
    await expect(check("https://8.8.8.8/v1")).resolves.toBeUndefined();
  });

  it.each([
    "http://127.0.0.1:9999/v1",
    "http://localhost:9999/v1",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://mixed.example/",
    "http://inside.example/",
    "http://unknown.example/",
    "http://user@public.example/",
    "http://user:secret@public.example/",
    "file:///etc/passwd",
    "gopher://public.example/",
    "not an address",
  ])("refuses %s and names the field", async (url) => {
    const refusal = check(url);
    await expect(refusal).rejects.toThrow(HttpError);
    await expect(refusal).rejects.toMatchObject({ status: 400, field: "model.baseUrl" });
  });
});

describe("guardedFetch", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function listen(handler: Parameters<typeof createServer>[1]): Promise<number> {
    server = createServer(handler).listen(0, "127.0.0.1");
    await new Promise((resolve) => server?.once("listening", resolve));
    return (server.address() as AddressInfo).port;
  }

  it("posts and streams the answer back", async () => {
    const port = await listen(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.setHeader("x-seen", request.headers["x-own"] ?? "");
      response.end(`${request.method} ${body}`);
    });
    const response = await guardedFetch("public-and-loopback")(`http://localhost:${port}/v1`, {
      method: "POST",
      headers: { "x-own": "yes" },
      body: "{}",
    });
    expect(response.headers.get("x-seen")).toBe("yes");
    expect(await response.text()).toBe("POST {}");
  });

  it("checks the address that a name has at the moment of connecting", async () => {
    let visits = 0;
    const port = await listen((_request, response) => {
      visits++;
      response.end();
    });
    await expect(guardedFetch("public")(`http://localhost:${port}/`)).rejects.toThrow("refused");
    await expect(guardedFetch("public")(`http://127.0.0.1:${port}/`)).rejects.toThrow("refused");
    expect(visits).toBe(0);
  });

  it("does not follow a redirect", async () => {
    const paths: string[] = [];
    const port = await listen((request, response) => {
      paths.push(request.url ?? "");
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    const response = await guardedFetch("any")(`http://127.0.0.1:${port}/first`, {
      method: "POST",
      body: "x",
    });
    expect(response.status).toBe(307);
    expect(paths).toEqual(["/first"]);
  });

  it("closes the socket when the request is aborted", async () => {
    const controller = new AbortController();
    let closed: (() => void) | undefined;
    const socketClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const port = await listen((request, response) => {
      request.socket.on("close", () => closed?.());
      response.write("first");
    });
    const response = await guardedFetch("any")(`http://127.0.0.1:${port}/`, {
      signal: controller.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    controller.abort();
    await expect(reader.read()).rejects.toThrow();
    await socketClosed;
  });
});
