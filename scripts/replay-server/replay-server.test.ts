import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Gate, json, ReplayServer, sse } from ".";

let vendor: ReplayServer;

beforeEach(async () => {
  vendor = await ReplayServer.start();
});
afterEach(async () => {
  await vendor.stop();
});

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(vendor.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "k" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
  });
}

/** The chunks of a body as they arrive, read to the end. */
async function chunksOf(response: Response): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) chunks.push(chunk);
  return chunks;
}

describe("scripted answers", () => {
  it.each([
    ["openai-responses", "/v1/responses", "/v1"],
    ["openai-completions", "/v1/chat/completions", "/v1"],
    ["anthropic-messages", "/v1/messages", ""],
    ["google-generative-ai", "/v1beta/models/gemini-x:streamGenerateContent", "/v1beta"],
  ] as const)("are found by API: %s at %s", async (api, path, basePath) => {
    vendor.answer(api, { body: `data: ${api}\n\n` });
    const response = await post(`${path}?alt=sse`, {});
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toBe(`data: ${api}\n\n`);
    expect(vendor.baseUrl(api)).toBe(vendor.origin + basePath);
    expect(vendor.requests[0]?.api).toBe(api);
  });

  it("are used in order, each once; then a handler's turn comes; then 501", async () => {
    vendor.answer("/a", { body: "1" }, { body: "2" });
    expect(vendor.unused).toBe(2);
    expect(await (await post("/a", {})).text()).toBe("1");
    vendor.handle("/a", (request) => ({ body: `handled ${request.path}` }));
    expect(await (await post("/a/b", {})).text()).toBe("2");
    expect(await (await post("/a/b", {})).text()).toBe("handled /a/b");
    vendor.reset();
    const unscripted = await post("/a", {});
    expect(unscripted.status).toBe(501);
    expect(await unscripted.json()).toEqual({
      error: {
        message: "The replay server has no answer for POST /a.",
        type: "no_answer",
        code: 501,
      },
    });
  });

  it("carry any status, type and headers", async () => {
    vendor.answer("openai-responses", json(429, { error: "slow down" }, { "retry-after": "7" }));
    const response = await post("/v1/responses", {});
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ error: "slow down" });
  });

  it("show a failing handler as a broken connection", async () => {
    vendor.handle("/", () => {
      throw new Error("planted");
    });
    await expect(post("/x", {})).rejects.toThrow("fetch failed");
  });
});

describe("chunks", () => {
  const text = "data: 杭州 🌍\n\n";
  const bytes = Buffer.from(text);

  it("are cut at every N bytes, in the middle of characters too", async () => {
    vendor.answer("/x", { body: text, split: 3 });
    const chunks = await chunksOf(await post("/x", {}));
    expect(chunks.map((chunk) => chunk.length)).toEqual([3, 3, 3, 3, 3, 3, 1]);
    expect(Buffer.concat(chunks).toString()).toBe(text);
  });

  it("are cut at given offsets, counted over all parts", async () => {
    vendor.answer("/x", {
      body: [bytes.subarray(0, 5), bytes.subarray(5)],
      split: { cuts: [2, 7, 16] },
    });
    const chunks = await chunksOf(await post("/x", {}));
    expect(chunks.map((chunk) => chunk.length)).toEqual([2, 3, 2, 9, 3]);
    expect(Buffer.concat(chunks).toString()).toBe(text);
  });

  it("are cut at random, the same way for the same seed", async () => {
    const long = text.repeat(40);
    const lengths = async (seed: number): Promise<number[]> => {
      vendor.answer("/x", { body: long, split: { seed } });
      const chunks = await chunksOf(await post("/x", {}));
      expect(Buffer.concat(chunks).toString()).toBe(long);
      return chunks.map((chunk) => chunk.length);
    };
    const first = await lengths(1);
    expect(first.length).toBeGreaterThan(10);
    expect(Math.max(...first)).toBeLessThanOrEqual(64);
    expect(await lengths(1)).toEqual(first);
    expect(await lengths(2)).not.toEqual(first);
  });
});

describe("endings", () => {
  it("waits at a gate until it is opened", async () => {
    const gate = new Gate();
    vendor.answer("/x", { body: ["before", gate, "after"] });
    const response = await post("/x", {});
    await gate.reached;
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("before");
    gate.open();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("after");
    expect((await reader?.read())?.done).toBe(true);
    expect(await vendor.requests[0]?.ended).toBe("answered");
  });

  it("breaks the connection after all of the body has left", async () => {
    vendor.answer("/x", { body: "half of it", ending: "cut" });
    const response = await post("/x", {});
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("half of it");
    await expect(reader?.read()).rejects.toThrow("terminated");
    expect(await vendor.requests[0]?.ended).toBe("server-cut");
  });

  it.each(["at a gate", "in silence"])("tells when the client leaves %s", async (where) => {
    vendor.answer(
      "/x",
      where === "at a gate" ? { body: ["a", new Gate()] } : { body: "a", ending: "silence" },
    );
    const controller = new AbortController();
    const response = await post("/x", {}, controller.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort();
    expect(await vendor.requests[0]?.ended).toBe("client-closed");
  });
});

describe("requests", () => {
  it("are kept with method, path, query, headers and parsed body", async () => {
    vendor.handle("/", () => ({ body: "" }));
    await post("/v1/messages?beta=true", { model: "m", messages: ["é"] });
    await post("/other", "not JSON");
    expect(vendor.requests).toHaveLength(2);
    const [first, second] = vendor.requests;
    expect(first).toMatchObject({
      method: "POST",
      path: "/v1/messages",
      api: "anthropic-messages",
      body: { model: "m", messages: ["é"] },
    });
    expect(first?.query.get("beta")).toBe("true");
    expect(first?.headers["x-api-key"]).toBe("k");
    expect(second).toMatchObject({ api: undefined, text: "not JSON", body: undefined });
  });

  it("can be waited for, each once, by API or path", async () => {
    vendor.handle("/", () => ({ body: "" }));
    const awaited = vendor.nextRequest("anthropic-messages");
    await post("/v1/responses", { number: 1 });
    await post("/v1/messages", { number: 2 });
    expect((await awaited).body).toEqual({ number: 2 });
    expect((await vendor.nextRequest()).body).toEqual({ number: 1 });
    await post("/v1/messages", { number: 3 });
    expect((await vendor.nextRequest("/v1/messages")).body).toEqual({ number: 3 });
  });
});

describe("sse", () => {
  it("frames data, named where a pair names it", () => {
    expect(sse({ a: 1 }, ["ping", { b: [2] }], "[DONE]")).toBe(
      'data: {"a":1}\n\nevent: ping\ndata: {"b":[2]}\n\ndata: [DONE]\n\n',
    );
  });
});
