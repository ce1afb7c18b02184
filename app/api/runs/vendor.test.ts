import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { RunEvent } from "@/lib/run/events";
import { foldRunEvent, initialRunState } from "@/lib/run/fold";
import { replaceRuntime } from "@/lib/server/runtime";
import { Gate, json, ReplayServer, sse } from "@/scripts/replay-server";
import { GET as listModels } from "../models/route";
import {
  abortRun,
  allEvents,
  eventsOf,
  nextOf,
  readEvents,
  runBody,
  startRun,
  useRuntime,
} from "../testing/run-api";

let vendor: ReplayServer;
beforeAll(async () => {
  vendor = await ReplayServer.start();
});
afterAll(() => vendor.stop());
afterEach(() => {
  vendor.reset();
  replaceRuntime(undefined);
});

const api = "openai-completions";
const serverKey = "sk-SERVER-0123456789";
const userKey = "sk-CANARY-789";
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "r1",
  object: "chat.completion.chunk",
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});
const hello = sse(chunk({ content: "Hel" }), chunk({ content: "lo" }), chunk({}, "stop"), "[DONE]");

const customModel = (change: Record<string, unknown> = {}) => ({
  id: "m",
  name: "Mine",
  api,
  provider: "openai",
  baseUrl: vendor.baseUrl(api),
  reasoning: false,
  input: ["text"],
  contextWindow: 0,
  maxTokens: 0,
  ...change,
});

const env = (change: Record<string, string> = {}) => ({ OPENAI_API_KEY: serverKey, ...change });
const ownBaseUrl = (): Record<string, string> => ({ OPENAI_BASE_URL: vendor.baseUrl(api) });
const textOf = (events: RunEvent[]): string => {
  const message = events.reduce(foldRunEvent, initialRunState()).messages.at(-1)?.message;
  if (message?.role !== "assistant") return "";
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
};

describe("where keys go", () => {
  it("sends the server's key to the address that the operator set", async () => {
    useRuntime(undefined, env({ OPENAI_BASE_URL: vendor.baseUrl(api) }));
    vendor.answer(api, { body: hello });
    const events = await allEvents(await startRun(runBody({ model: customModel() })));
    expect(textOf(events)).toBe("Hello");
    expect(vendor.requests[0]?.headers.authorization).toBe(`Bearer ${serverKey}`);
  });

  it("never sends the server's key to an address that a request brings", async () => {
    // The SDK would look there by itself.
    vi.stubEnv("OPENAI_API_KEY", serverKey);
    useRuntime(undefined, env());
    vendor.answer(api, { body: hello });
    const events = await allEvents(await startRun(runBody({ model: customModel() })));
    expect(textOf(events)).toBe("Hello");
    expect(JSON.stringify(vendor.requests[0]?.headers)).not.toContain(serverKey);
  });

  it("sends a person's own key, which goes before the server's", async () => {
    useRuntime(undefined, env({ OPENAI_BASE_URL: vendor.baseUrl(api) }));
    vendor.answer(api, { body: hello });
    const headers = { "x-provider-key": userKey };
    await allEvents(await startRun(runBody({ model: customModel() }), { headers }));
    expect(vendor.requests[0]?.headers.authorization).toBe(`Bearer ${userKey}`);
  });

  it.each([
    ["the catalog's own address", { OPENAI_BASE_URL: "set" }],
    ["an address of one's own", {}],
  ])("follows no redirect from %s", async (_what, change: Record<string, string>) => {
    const elsewhere = await ReplayServer.start();
    useRuntime(undefined, env(change.OPENAI_BASE_URL ? ownBaseUrl() : {}));
    vendor.handle(api, () => ({
      status: 307,
      headers: { location: `${elsewhere.baseUrl(api)}/chat/completions` },
    }));
    const headers = { "x-provider-key": userKey };
    const events = await allEvents(
      await startRun(runBody({ model: customModel(), options: { maxRetries: 0 } }), { headers }),
    );
    expect(elsewhere.requests).toEqual([]);
    expect(events.findLast((event) => event.type === "message_end")).toMatchObject({
      message: { stopReason: "error" },
    });
    await elsewhere.stop();
  });

  it.each(["http://169.254.169.254/v1", "http://10.0.0.1/v1", "http://[fd00::1]/v1"])(
    "refuses %s before anything is sent",
    async (baseUrl) => {
      useRuntime(undefined, env());
      const response = await startRun(runBody({ model: customModel({ baseUrl }) }));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { field: "model.baseUrl" } });
      expect((await readEvents("run-00000001")).status).toBe(404);
    },
  );

  it("refuses loopback too where others can reach the server", async () => {
    useRuntime(undefined, env({ RILL_HOST: "0.0.0.0" }));
    const response = await startRun(runBody({ model: customModel() }));
    expect(response.status).toBe(400);
    expect(vendor.requests).toEqual([]);
  });

  it("is in no event, however the vendor repeats it", async () => {
    useRuntime(undefined, env());
    vendor.answer(api, json(401, { error: { message: `Incorrect API key: ${userKey}` } }));
    const headers = { "x-provider-key": userKey };
    const events = await allEvents(
      await startRun(runBody({ model: customModel(), record: "wire" }), { headers }),
    );
    expect(events.findLast((event) => event.type === "message_end")).toMatchObject({
      message: { stopReason: "error", diagnostics: [{ details: { class: "auth" } }] },
    });
    expect(JSON.stringify(events)).not.toContain(userKey);
  });
});

describe("Stop", () => {
  it("closes the vendor's connection and keeps what had arrived", async () => {
    useRuntime(undefined, env());
    const gate = new Gate();
    vendor.answer(api, { body: [sse(chunk({ content: "Hel" })), gate] });
    const events = eventsOf(await startRun(runBody({ model: customModel() })));
    const asked = await vendor.nextRequest(api);
    for (;;) {
      const update = await nextOf(events, "message_update");
      if (update.assistantMessageEvent.type === "text_delta") break;
    }
    expect((await abortRun("run-00000001")).status).toBe(204);
    expect(await asked.ended).toBe("client-closed");
    const log = await allEvents(await readEvents("run-00000001"));
    expect(textOf(log)).toBe("Hel");
    expect(log.findLast((event) => event.type === "message_end")).toMatchObject({
      message: { stopReason: "aborted" },
    });
  });
});

describe('record: "wire"', () => {
  it("writes what went out and what came back, and which caused what", async () => {
    useRuntime(undefined, env());
    vendor.answer(api, { body: hello });
    const headers = { "x-provider-key": userKey };
    const model = customModel({ headers: { "x-api-key": "other-secret" } });
    const events = await allEvents(await startRun(runBody({ model, record: "wire" }), { headers }));

    const request = events.find((event) => event.type === "provider_request");
    expect(request).toMatchObject({
      turn: 1,
      attempt: 1,
      method: "POST",
      url: `${vendor.baseUrl(api)}/chat/completions`,
      payload: { model: "m", stream: true },
      headers: { authorization: "[redacted]", "x-api-key": "[redacted]" },
    });
    expect(events.find((event) => event.type === "provider_response")).toMatchObject({
      turn: 1,
      attempt: 1,
      status: 200,
      headers: { "content-type": "text/event-stream" },
    });
    expect(JSON.stringify(events)).not.toMatch(/CANARY|other-secret/);

    const vendorEvents = events.filter((event) => event.type === "provider_event");
    expect(vendorEvents.map((event) => event.event)).toEqual([
      chunk({ content: "Hel" }),
      chunk({ content: "lo" }),
      chunk({}, "stop"),
    ]);
    const causes = events.flatMap((event) =>
      event.type === "message_update" && event.assistantMessageEvent.type === "text_delta"
        ? [event.cause]
        : [],
    );
    expect(causes).toEqual([vendorEvents[0]?.seq, vendorEvents[1]?.seq]);
    for (const { seq, cause } of events) if (cause !== undefined) expect(cause).toBeLessThan(seq);
  });

  it("counts attempts within a turn and writes the payload once", async () => {
    useRuntime(undefined, env());
    vendor.answer(api, json(503, { error: { message: "busy" } }, { "retry-after-ms": "1" }));
    vendor.answer(api, { body: hello });
    const body = runBody({ model: customModel(), record: "wire" });
    const events = await allEvents(await startRun(body));
    const requests = events.filter((event) => event.type === "provider_request");
    expect(requests.map((event) => [event.turn, event.attempt, "payload" in event])).toEqual([
      [1, 1, true],
      [1, 2, false],
    ]);
    expect(events.find((event) => event.type === "provider_retry")).toMatchObject({
      turn: 1,
      attempt: 1,
      status: 503,
    });
  });

  it("is not there unless asked for, while retries always are", async () => {
    useRuntime(undefined, env());
    vendor.answer(api, json(503, { error: { message: "busy" } }, { "retry-after-ms": "1" }));
    vendor.answer(api, { body: hello });
    const events = await allEvents(await startRun(runBody({ model: customModel() })));
    const kinds = events.map((event) => event.type).filter((type) => type.startsWith("provider_"));
    expect(kinds).toEqual(["provider_retry"]);
    expect(events.every((event) => event.cause === undefined)).toBe(true);
  });
});

describe("GET /api/models", () => {
  const list = async () =>
    (await (await listModels(new Request("http://localhost:3000/api/models"))).json()) as {
      providers: { id: string; configured: boolean; baseUrl: string; models: { id: string }[] }[];
      tools: { name: string }[];
    };

  it("tells providers, models and tools, and where the server has a key, without the key", async () => {
    useRuntime(undefined, env({ ANTHROPIC_BASE_URL: "http://127.0.0.1:9/anthropic" }));
    const { providers, tools } = await list();
    const about = (id: string) => providers.find((provider) => provider.id === id);
    expect(about("openai")).toMatchObject({ configured: true, keyEnv: ["OPENAI_API_KEY"] });
    expect(about("anthropic")).toMatchObject({
      configured: false,
      baseUrl: "http://127.0.0.1:9/anthropic",
    });
    expect(about("demo")).toMatchObject({ configured: true, needsKey: false });
    expect(about("openai")?.models.length).toBeGreaterThan(0);
    expect(tools.map((tool) => tool.name)).toEqual([
      "get_current_time",
      "calculate",
      "fetch_url",
      "run_javascript",
      "update_plan",
    ]);
    expect(JSON.stringify(providers)).not.toContain(serverKey);
  });

  it("takes Google's address with and without its version", async () => {
    for (const set of ["http://127.0.0.1:9", "http://127.0.0.1:9/", "http://127.0.0.1:9/v1beta"]) {
      useRuntime(undefined, env({ GOOGLE_GEMINI_BASE_URL: set }));
      const { providers } = await list();
      const google = providers.find((provider) => provider.id === "google");
      expect(google?.baseUrl).toBe("http://127.0.0.1:9/v1beta");
    }
  });
});

describe("the demo", () => {
  it("answers through the same routes without a key or a network", async () => {
    useRuntime(undefined, { RILL_DEMO_SPEED: "10000" });
    const model = { provider: "demo", id: "demo" };
    const messages = [{ role: "user", content: "What time is it in Tokyo?", timestamp: 1 }];
    const events = await allEvents(await startRun(runBody({ model, context: { messages } })));
    const state = events.reduce(foldRunEvent, initialRunState());
    expect(Object.values(state.tools).map((run) => [run.toolName, run.state])).toEqual([
      ["get_current_time", "done"],
    ]);
    expect(textOf(events)).toContain("Tokyo");
  });
});
