import type { LookupAddress } from "node:dns";
import { createServer, type Server } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { guardedFetch, type LookupAll } from "../../outbound";
import { fetchDocument } from "./fetch-document";

/** What the test's resolver says, in turn; the last answer stays. */
const names: Record<string, string[][]> = {
  "loopback.example": [["127.0.0.1"]],
  "loopback6.example": [["::1"]],
  "mapped.example": [["::ffff:127.0.0.1"]],
  "lan.example": [["192.168.0.5"]],
  "ten.example": [["10.0.0.1"]],
  "carrier.example": [["100.64.1.1"]],
  "mixed.example": [["93.184.216.34", "10.0.0.1"]],
  "mixed6.example": [["2606:4700::1111", "fd00::1"]],
  "link-local.example": [["169.254.10.10"]],
  "nat64.example": [["64:ff9b::7f00:1"]],
  "unique-local.example": [["fd12:3456::1"]],
  "metadata.google.internal": [["169.254.169.254"]],
  "instance-data.ec2.internal": [["169.254.169.254"]],
  "127.0.0.1.nip.io": [["127.0.0.1"]],
  "localtest.me": [["127.0.0.1"]],
  localhost: [["127.0.0.1", "::1"]],
  "localhost.": [["127.0.0.1"]],
  "any.localhost": [["127.0.0.1"]],
};

let server: Server;
let port = 0;
let visits: string[] = [];

/** One more name for the server itself, which stands in for the public web, and names that change their mind. */
const resolver = (extra: Record<string, string[][]> = {}): LookupAll => {
  const asked = new Map<string, number>();
  return (host, _options, callback) => {
    const answers = extra[host] ?? names[host];
    if (!answers) {
      callback(
        Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }),
        [],
      );
      return;
    }
    const turn = asked.get(host) ?? 0;
    asked.set(host, turn + 1);
    const addresses = (answers[turn] ?? answers.at(-1)) as string[];
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: isIPv6(address) ? 6 : 4 })),
    );
  };
};

beforeAll(async () => {
  server = createServer((request, response) => {
    visits.push(`${request.headers.host}${request.url}`);
    response.end("secret");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * A public web of one host: `public.example` answers with a redirect to each target in turn, and everything else goes
 * through the real guard to the real network.
 */
function webThatRedirects(chain: string[], status = 302, lookup = resolver()) {
  const guarded = guardedFetch("public", lookup);
  let hop = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    if (hostname !== "public.example") return guarded(input, init);
    const location = chain[hop++];
    return Promise.resolve(
      location === undefined
        ? new Response("end", { headers: { "content-type": "text/plain" } })
        : new Response(null, {
            status,
            // A header holds bytes; servers send such addresses escaped.
            headers: { location: /[^\0-\xff]/.test(location) ? encodeURI(location) : location },
          }),
    );
  };
  return fetch;
}

const run = (url: string, fetch: typeof globalThis.fetch) => {
  visits = [];
  return fetchDocument(url, new AbortController().signal, { fetch });
};

// PORT is the server's own, so that an address that slipped through would be seen there.
const hostile = [
  // this machine, in every spelling that a URL parser takes
  "http://127.0.0.1:PORT/",
  "http://127.0.0.1.:PORT/",
  "http://127.1:PORT/",
  "http://127.0.1:PORT/",
  "http://127.255.255.254:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f000001:PORT/",
  "http://0x7f.0.0.1:PORT/",
  "http://0x7f.1:PORT/",
  "http://0X7F.0X0.0X0.0X1:PORT/",
  "http://017700000001:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://0177.0.0.01:PORT/",
  "http://00000177.1:PORT/",
  "http://0x7f.0.1:PORT/",
  "http://127.0x1:PORT/",
  "http://0:PORT/",
  "http://0.0.0.0:PORT/",
  "http://0x0:PORT/",
  "http://１２７.０.０.１:PORT/",
  "http://①②⑦.⓪.⓪.①:PORT/",
  "http://127。0。0。1:PORT/",
  "http://%31%32%37.0.0.1:PORT/",
  "http:127.0.0.1:PORT/",
  "http:\\\\127.0.0.1:PORT\\",
  "http:/127.0.0.1:PORT/",
  "HTTP://127.0.0.1:PORT/",
  "http://127.0.0.1\t:PORT/",
  // IPv6, and IPv4 inside it
  "http://[::1]:PORT/",
  "http://[0:0:0:0:0:0:0:1]:PORT/",
  "http://[::]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "http://[0:0:0:0:0:ffff:7f00:1]:PORT/",
  "http://[::127.0.0.1]:PORT/",
  "http://[64:ff9b::127.0.0.1]:PORT/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[64:ff9b:1::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001:0:7f00:1::]/",
  "http://[fe80::1]/",
  "http://[febf::1]/",
  "http://[fec0::1]/",
  "http://[fc00::1]/",
  "http://[fd00:ec2::254]/latest/meta-data/",
  "http://[ff02::1]/",
  "http://[100::1]/",
  "http://[2001:db8::1]/",
  // private, link-local and special networks
  "http://10.0.0.1/",
  "http://10.255.255.255/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.1.1/",
  "http://3232235777/",
  "http://0xc0a80101/",
  "http://100.64.0.1/",
  "http://198.18.0.1/",
  "http://192.0.0.192/",
  "http://224.0.0.1/",
  "http://255.255.255.255/",
  "http://240.0.0.1/",
  // where clouds keep their secrets
  "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
  "http://2852039166/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://[::ffff:169.254.169.254]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://169.254.170.2/v2/credentials",
  "http://100.100.100.200/latest/meta-data/",
  "http://192.0.0.192/opc/v1/instance/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://instance-data.ec2.internal/",
  // names
  "http://localhost:PORT/",
  "http://LOCALHOST:PORT/",
  "http://localhost.:PORT/",
  "http://any.localhost:PORT/",
  "http://loopback.example:PORT/",
  "http://loopback6.example:PORT/",
  "http://mapped.example:PORT/",
  "http://lan.example/",
  "http://ten.example/",
  "http://carrier.example/",
  "http://mixed.example/",
  "http://mixed6.example/",
  "http://link-local.example/",
  "http://nat64.example:PORT/",
  "http://unique-local.example/",
  "http://127.0.0.1.nip.io:PORT/",
  "http://localtest.me:PORT/",
  "http://nowhere.example/",
  // user names, other schemes, no address at all
  "http://public.example@127.0.0.1:PORT/",
  "http://user@public.example/",
  "http://user:secret@public.example/",
  "http://:secret@public.example/",
  "http://127.0.0.1:PORT\\@public.example/",
  "http://public.example:80@127.0.0.1:PORT/",
  "http://127.0.0.1:PORT#@public.example/",
  "file:///etc/passwd",
  "ftp://127.0.0.1/",
  "gopher://127.0.0.1:PORT/_GET",
  "data:text/plain,secret",
  "javascript:alert(1)",
  "blob:http://127.0.0.1/1",
  "ws://127.0.0.1:PORT/",
  "//127.0.0.1:PORT/",
  "/etc/passwd",
  "",
  "http://",
  "http://[::1",
  `http://public.example/${"a".repeat(5000)}`,
];
const here = (url: string): string => url.replaceAll("PORT", String(port));

describe("addresses that a model must not reach", () => {
  it("is a table worth its name", () => {
    expect(new Set(hostile).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThanOrEqual(100);
  });

  it.each(hostile)("refuses %j", async (url) => {
    await expect(run(here(url), webThatRedirects([]))).rejects.toThrow(
      /refused|not a valid URL|no such host/,
    );
    expect(visits).toEqual([]);
  });

  // Relative targets stay on the host that gave them, and the address that is too long is as good as any other.
  const targets = hostile.filter((url) => /^[a-z]+:/i.test(url) && !/^http:\/?[^/\\]/i.test(url));
  it.each(targets)("does not follow a redirect to %j", async (target) => {
    const fetch = webThatRedirects([here(target)]);
    await expect(run("https://public.example/", fetch)).rejects.toThrow(
      /refused|not a valid URL|no such host/,
    );
    expect(visits).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])("checks the last hop of a chain of %i", async (status) => {
    const chain = ["https://public.example/2", "/3", "../4", here("http://127.0.0.1:PORT/5")];
    await expect(run("https://public.example/", webThatRedirects(chain, status))).rejects.toThrow(
      "refused",
    );
    expect(visits).toEqual([]);
  });

  it("gives up a chain without end", async () => {
    const chain = Array.from({ length: 20 }, (_, index) => `/${index}`);
    await expect(run("https://public.example/", webThatRedirects(chain))).rejects.toThrow(
      "More than 5 redirects",
    );
  });

  it("follows redirects that stay in public, also relative ones", async () => {
    const fetched = await run("https://public.example/a/b", webThatRedirects(["../c", "/d#part"]));
    expect(fetched).toMatchObject({ url: "https://public.example/d", status: 200 });
  });

  it("refuses a name that turns private between two hops", async () => {
    const lookup = resolver({ "rebound.example": [["93.184.216.34"], ["127.0.0.1"]] });
    // The first look finds a public address; what connects is the second.
    await new Promise<void>((resolve) => {
      lookup("rebound.example", { all: true }, (_error, [first]) => {
        expect(first?.address).toBe("93.184.216.34");
        resolve();
      });
    });
    await expect(
      run(here("http://rebound.example:PORT/"), webThatRedirects([], 302, lookup)),
    ).rejects.toThrow("private: refused");
    expect(visits).toEqual([]);
  });

  it("connects to the very address that was checked", async () => {
    const lookup = resolver({ "own.example": [["127.0.0.1"], ["10.0.0.1"]] });
    const fetch = guardedFetch("public-and-loopback", lookup);
    const fetched = await run(here("http://own.example:PORT/x"), fetch);
    expect(new TextDecoder().decode(fetched.body)).toBe("secret");
    expect(visits).toEqual([here("own.example:PORT/x")]);
  });
});
