import { afterEach, describe, expect, it } from "vitest";
import { createModels, type Models } from "../../models.ts";
import { createProvider } from "../../provider.ts";
import { checkEventOrder } from "../../testing/event-order.ts";
import { callItem, messageItem, usage } from "../../testing/responses-events.ts";
import { readAll, testModel } from "../../testing/run-stream.ts";
import { startVendor, type VendorAnswer, type VendorServer } from "../../testing/vendor-server.ts";
import type { Context, DeferredHandle, Model, SimpleStreamOptions, Tool } from "../../types.ts";
import { apis } from "../index.ts";

let vendor: VendorServer | undefined;
afterEach(async () => {
  await vendor?.stop();
  vendor = undefined;
});

const json = (body: unknown, status = 200): VendorAnswer => ({
  status,
  contentType: "application/json",
  body: JSON.stringify(body),
});
const queued = json({ id: "resp_1", status: "queued", model: "gpt-test", output: [] });
const running = json({ id: "resp_1", status: "in_progress", model: "gpt-test", output: [] });
const finished = json({
  id: "resp_1",
  status: "completed",
  model: "gpt-test",
  output: [
    messageItem("Hi"),
    callItem({ name: "say_hello_", arguments: '{"to":"you","note":null}' }),
  ],
  usage,
});

const tool: Tool = {
  name: "say hello!",
  description: "Says hello.",
  parameters: {
    type: "object",
    properties: { to: { type: "string" }, note: { type: "string" } },
    required: ["to"],
  },
  constrainedSampling: { type: "json_schema", strict: "prefer" },
};
const context: Context = {
  messages: [{ role: "user", content: "hi", timestamp: 1 }],
  tools: [tool],
};

interface Place {
  vendor: VendorServer;
  model: Model;
  /** Models as a process has them that has just begun. */
  fresh: () => Models;
}

async function place(answers: VendorAnswer[], fields: Partial<Model> = {}): Promise<Place> {
  const started = await startVendor(...answers);
  vendor = started;
  const baseUrl = `${started.origin}/v1`;
  const model = testModel({
    api: "openai-responses",
    id: "gpt-test",
    provider: "openai",
    baseUrl,
    compat: { supportsStrictMode: true },
    ...fields,
  });
  const fresh = (): Models =>
    createModels({
      env: { KEY: "k" },
      providers: [
        createProvider({
          id: "openai",
          name: "OpenAI",
          baseUrl,
          env: ["KEY"],
          models: [model],
          api: apis,
        }),
      ],
    });
  return { vendor: started, model, fresh };
}

const handleOf = (model: Model, fields: Partial<DeferredHandle> = {}): DeferredHandle => ({
  provider: model.provider,
  modelId: model.id,
  api: model.api,
  id: "resp_1",
  pollAfterMs: 1,
  ...fields,
});

const submit = (
  { fresh, model }: Place,
  options: SimpleStreamOptions = { deferred: true },
): ReturnType<typeof readAll> => readAll(fresh().streamSimple(model, context, options));

describe("a deferred answer", () => {
  it("P-300, P-301, P-312: is submitted in the background and ends at once with a plain handle", async () => {
    const here = await place([queued]);
    const { events, message } = await submit(here, { deferred: { window: "1h" } });

    expect(checkEventOrder(events)).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(["start", "done"]);
    expect(here.vendor.requests).toMatchObject([
      { method: "POST", url: "/v1/responses", body: { background: true, store: true } },
    ]);
    expect(here.vendor.requests[0]?.body).not.toHaveProperty("stream");
    expect(message).toMatchObject({
      stopReason: "deferred",
      rawStopReason: "queued",
      responseId: "resp_1",
      content: [],
      usage: { totalTokens: 0, unreported: true },
    });
    const { deferred } = message;
    expect(deferred).toMatchObject({
      provider: "openai",
      modelId: "gpt-test",
      api: "openai-responses",
      id: "resp_1",
      expiresAt: message.timestamp + 3_600_000,
    });
    expect(JSON.parse(JSON.stringify(deferred))).toEqual(deferred);
  });

  it("P-412, P-303, P-306: is fetched by another process, with our names of its tools and its own time", async () => {
    const here = await place([queued, running, finished]);
    const { message: submitted } = await submit(here);
    const handle = JSON.parse(JSON.stringify(submitted.deferred)) as DeferredHandle;

    const early = await readAll(here.fresh().fetchDeferred(here.model, handle));
    expect(early.events.map(({ type }) => type)).toEqual(["start", "done"]);
    expect(early.message).toMatchObject({ stopReason: "deferred", deferred: handle });
    expect(early.message.usage).toMatchObject({ totalTokens: 0, cost: { total: 0 } });

    const { events, message } = await readAll(here.fresh().fetchDeferred(here.model, handle));
    expect(checkEventOrder(events)).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_end",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "done",
    ]);
    expect(message).toMatchObject({
      stopReason: "toolUse",
      timestamp: submitted.timestamp,
      content: [
        { type: "text", text: "Hi" },
        { type: "toolCall", name: "say hello!", arguments: { to: "you" } },
      ],
      usage: { totalTokens: 50 },
    });
    expect(message).not.toHaveProperty("durationMs");
    expect(message).not.toHaveProperty("deferred");
    expect(here.vendor.requests.slice(1)).toMatchObject([
      { method: "GET", url: "/v1/responses/resp_1" },
      { method: "GET", url: "/v1/responses/resp_1" },
    ]);
  });

  it("P-305: fetched again it is the same message", async () => {
    const here = await place([queued, finished]);
    const handle = (await submit(here)).message.deferred as DeferredHandle;
    const first = await here.fresh().fetchDeferred(here.model, handle).result();
    const second = await here.fresh().fetchDeferred(here.model, handle).result();
    expect(second).toEqual(first);
  });

  it("P-302: wait holds the poll open until the answer is there", async () => {
    const here = await place([queued, running, finished]);
    const handle = handleOf(here.model);
    const message = await here.fresh().fetchDeferred(here.model, handle, { wait: 60_000 }).result();
    expect(message.stopReason).toBe("toolUse");
    expect(here.vendor.requests).toHaveLength(3);
  });

  it("P-130: an abort ends the wait", async () => {
    const here = await place([running]);
    const controller = new AbortController();
    const stream = here.fresh().fetchDeferred(here.model, handleOf(here.model), {
      wait: 60_000,
      signal: controller.signal,
      onResponse: () => controller.abort(),
    });
    expect((await stream.result()).stopReason).toBe("aborted");
  });

  it.each([
    ["provider", { provider: "other" }],
    ["model", { modelId: "other" }],
    ["api", { api: "other" }],
  ])("P-304: a handle of another %s is an error, and no request is made", async (_what, fields) => {
    const here = await place([finished]);
    const handle = handleOf(here.model, fields);
    const { events, message } = await readAll(here.fresh().fetchDeferred(here.model, handle));
    expect(events.map(({ type }) => type)).toEqual(["error"]);
    expect(message.errorMessage).toContain("belongs to");
    await expect(here.fresh().cancelDeferred(here.model, handle)).rejects.toThrow("belongs to");
    expect(here.vendor.requests).toEqual([]);
  });

  it("P-310, P-412: an expired handle is an error, and no request is made", async () => {
    const here = await place([finished]);
    const handle = handleOf(here.model, { expiresAt: Date.now() - 1 });
    const message = await here.fresh().fetchDeferred(here.model, handle).result();
    expect(message).toMatchObject({ stopReason: "error" });
    expect(message.errorMessage).toContain("expired");
    await expect(here.fresh().cancelDeferred(here.model, handle)).rejects.toThrow("expired");
    expect(here.vendor.requests).toEqual([]);
  });

  it.each([
    [
      "an unknown id",
      json({ error: { message: "Response not found." } }, 404),
      "Response not found.",
    ],
    ["a cancelled one", json({ id: "resp_1", status: "cancelled", output: [] }), "cancelled"],
    [
      "a failed one",
      json({ id: "resp_1", status: "failed", error: { code: "server_error", message: "Broke" } }),
      "server_error: Broke",
    ],
    ["no response at all", { body: "<html>", contentType: "text/html" }, "not a response"],
  ])("P-304: %s is an error event", async (_what, answer, words) => {
    const here = await place([answer]);
    const message = await here.fresh().fetchDeferred(here.model, handleOf(here.model)).result();
    expect(message.stopReason).toBe("error");
    expect(message.errorMessage).toContain(words);
  });

  it("P-307: cancelling asks the vendor, and is rejected where the vendor refuses", async () => {
    const here = await place([
      json({ id: "resp_1", status: "cancelled" }),
      json({ error: { message: "Cannot cancel a finished response." } }, 400),
    ]);
    const handle = handleOf(here.model);
    await here.fresh().cancelDeferred(here.model, handle);
    expect(here.vendor.requests).toMatchObject([
      { method: "POST", url: "/v1/responses/resp_1/cancel" },
    ]);
    await expect(here.fresh().cancelDeferred(here.model, handle)).rejects.toThrow(
      "Cannot cancel a finished response.",
    );
  });

  it("P-308: an api without deferred answers fails as an event and as a rejection", async () => {
    const here = await place([finished]);
    const other = { ...here.model, api: "anthropic-messages" };
    const message = await here.fresh().fetchDeferred(other, handleOf(other)).result();
    expect(message.errorMessage).toContain("no deferred answers");
    await expect(here.fresh().cancelDeferred(other, handleOf(other))).rejects.toThrow(
      "no deferred answers",
    );
  });

  it("is not asked of a host that has no background", async () => {
    const here = await place([queued], { compat: { supportsBackground: false } });
    const { message } = await submit(here);
    expect(message.errorMessage).toContain("no deferred requests");
    expect(here.vendor.requests).toEqual([]);
  });

  it("P-309: what hooks the submission had play no part when the answer is fetched", async () => {
    const here = await place([queued, finished]);
    const seen: number[] = [];
    const controller = new AbortController();
    const { message } = await submit(here, {
      deferred: true,
      signal: controller.signal,
      onResponse: ({ status }) => {
        seen.push(status);
      },
    });
    controller.abort();
    const handle = message.deferred as DeferredHandle;
    const fetched = await here.fresh().fetchDeferred(here.model, handle).result();
    expect(fetched.stopReason).toBe("toolUse");
    expect(seen).toEqual([200]);
  });
});
