import { describe, expect, it } from "vitest";
import { pendingMessage } from "./adapter.ts";
import { AssistantMessageEventStream } from "./event-stream.ts";
import { type Credential, createModels, type Models, mergeHeaders } from "./models.ts";
import { createProvider, type ProviderConfig } from "./provider.ts";
import { hello, readAll, testModel } from "./testing/run-stream.ts";
import type {
  ApiImplementation,
  AssistantMessage,
  Env,
  Model,
  SimpleStreamOptions,
  StreamOptions,
  TranscriptContext,
} from "./types.ts";

const model = testModel({ api: "a", id: "m", provider: "p", baseUrl: "https://a.example" });

interface Call {
  path: "stream" | "streamSimple";
  model: Model;
  context: TranscriptContext;
  options: StreamOptions;
}

/** An api that notes what it is called with and answers "stop". */
function recorder(): { calls: Call[]; api: ApiImplementation } {
  const calls: Call[] = [];
  const answer =
    (path: Call["path"]) =>
    (asked: Model, context: TranscriptContext, options: StreamOptions = {}) => {
      calls.push({ path, model: asked, context, options });
      const stream = new AssistantMessageEventStream();
      const message: AssistantMessage = { ...pendingMessage(asked), stopReason: "stop" };
      stream.push({ type: "done", reason: "stop", message });
      return stream;
    };
  return { calls, api: { stream: answer("stream"), streamSimple: answer("streamSimple") } };
}

interface Setup {
  env?: Env;
  credential?: Credential;
  provider?: Partial<ProviderConfig>;
}

function setUp({ env = {}, credential, provider }: Setup = {}): { models: Models; calls: Call[] } {
  const { calls, api } = recorder();
  const models = createModels({
    env,
    providers: [
      createProvider({
        id: "p",
        name: "Vendor",
        baseUrl: "https://a.example",
        env: ["FIRST_KEY", "SECOND_KEY"],
        models: [model],
        api,
        ...provider,
      }),
    ],
    credentials: (id) => (id === "p" ? credential : undefined),
  });
  return { models, calls };
}

/** What the adapter is called with. */
async function called(
  setup: Setup,
  options: SimpleStreamOptions = {},
  asked: Model = model,
): Promise<Call> {
  const { models, calls } = setUp(setup);
  const message = await models.completeSimple(asked, hello, options);
  const [call] = calls;
  if (!call) throw new Error(message.errorMessage);
  return call;
}

async function failure(
  setup: Setup,
  options?: SimpleStreamOptions,
  asked = model,
): Promise<string> {
  const { models, calls } = setUp(setup);
  const { events, message } = await readAll(models.streamSimple(asked, hello, options));
  expect(events).toHaveLength(1);
  expect(message.stopReason).toBe("error");
  expect(calls).toEqual([]);
  return message.errorMessage ?? "";
}

const keyed: Setup = { env: { FIRST_KEY: "env-1" } };

describe("all models behind one call", () => {
  it("P-100: normalises the context before it returns", async () => {
    const { models, calls } = setUp(keyed);
    const context = { systemPrompt: "before", messages: [...hello.messages] };
    const stream = models.streamSimple(model, context);
    expect(stream).toBeInstanceOf(AssistantMessageEventStream);
    context.systemPrompt = "after";
    await stream.result();
    expect(calls[0]?.context.messages[0]).toMatchObject({ role: "system", content: "before" });
  });

  it("P-101, P-031: the provider gets the transcript, the model and the credentials", async () => {
    const call = await called(keyed, { temperature: 0.5 });
    expect(call).toMatchObject({
      path: "streamSimple",
      model,
      options: { temperature: 0.5, apiKey: "env-1" },
    });
    expect(Object.keys(call.context)).toEqual(["messages"]);
  });

  it("P-102: stream goes the same way, with options of the api's own", async () => {
    const { models, calls } = setUp(keyed);
    await models.stream(model, hello, { serviceTier: "flex" }).result();
    expect(calls).toMatchObject([
      { path: "stream", options: { serviceTier: "flex", apiKey: "env-1" } },
    ]);
  });

  it("P-102: complete and completeSimple give the last message of their streams", async () => {
    const { models, calls } = setUp(keyed);
    expect((await models.complete(model, hello)).stopReason).toBe("stop");
    expect((await models.completeSimple(model, hello)).stopReason).toBe("stop");
    expect(calls.map(({ path }) => path)).toEqual(["stream", "streamSimple"]);
  });

  it("P-103: a model without a type is a chat model, one of another type is an error event", async () => {
    expect((await called(keyed, {}, { ...model, type: "chat" })).model.type).toBe("chat");
    expect(await failure(keyed, {}, { ...model, type: "image" })).toContain("not a chat model");
  });

  it("P-104: an unknown provider is an error event that names it", async () => {
    expect(await failure(keyed, {}, { ...model, provider: "nobody" })).toContain("nobody");
  });

  it("P-105, P-131: a given key beats a stored one, and that beats the environment", async () => {
    const credential = { apiKey: "stored" };
    const key = async (setup: Setup, apiKey?: string): Promise<unknown> =>
      (await called(setup, { apiKey })).options.apiKey;
    expect(await key({ ...keyed, credential }, "given")).toBe("given");
    expect(await key({ ...keyed, credential })).toBe("stored");
    expect(await key(keyed)).toBe("env-1");
    expect(await key({ env: { FIRST_KEY: "1", SECOND_KEY: "2" } })).toBe("1");
    expect(await key({ env: { SECOND_KEY: "2" } })).toBe("2");
  });

  it("P-106: a stored credential without a key does not fall back to the environment", async () => {
    expect(await failure({ ...keyed, credential: {} })).toContain("not configured");
  });

  it("P-107, P-133: the request's environment lies over the process's and the stored one's, name by name", async () => {
    const options = { env: { FIRST_KEY: "mine", SECOND_KEY: " " } };
    const env = { FIRST_KEY: "env-1", SECOND_KEY: "env-2", OTHER: "o" };
    expect((await called({ env }, options)).options).toMatchObject({
      apiKey: "mine",
      env: { FIRST_KEY: "mine", SECOND_KEY: "env-2", OTHER: "o" },
    });
    const credential = { apiKey: "stored", env: { OTHER: "stored", MORE: "m" } };
    expect(
      (await called({ env, credential }, { env: { MORE: "mine" } })).options.env,
    ).toMatchObject({
      OTHER: "stored",
      MORE: "mine",
    });
  });

  it("P-108: a blank value of the environment counts as unset", async () => {
    expect((await called({ env: { FIRST_KEY: "  ", SECOND_KEY: "2" } })).options.apiKey).toBe("2");
  });

  it("P-109, P-270: nothing found is an error event that names the provider and what to set", async () => {
    expect(await failure({})).toBe(
      "Vendor (p) is not configured: no API key. Set FIRST_KEY or add a key in the settings.",
    );
  });

  it("P-271: a header of the caller's, or a provider without keys, needs none", async () => {
    const headers = { Authorization: "Bearer x" };
    expect((await called({}, { headers })).options.apiKey).toBeUndefined();
    expect((await called({ provider: { needsKey: false } })).options.apiKey).toBeUndefined();
  });

  it("P-111: a stored address goes into a copy of the model", async () => {
    const asked = { ...model };
    const credential = { apiKey: "k", baseUrl: "https://proxy.example" };
    const call = await called({ credential }, {}, asked);
    expect(call.model).toEqual({ ...model, baseUrl: "https://proxy.example" });
    expect(asked).toEqual(model);
  });

  it("P-112: later layers of headers win whatever their case, and null stays", async () => {
    const call = await called(
      {
        credential: { apiKey: "k", headers: { "X-A": "stored", "x-b": "stored", "x-c": "stored" } },
      },
      { headers: { "x-B": "request", "X-C": null } },
      { ...model, headers: { "x-a": "model", "x-b": "model" } },
    );
    expect(call.options.headers).toEqual({ "x-a": "model", "x-b": "request", "x-c": null });
    expect(mergeHeaders({ a: "1" }, undefined, { A: undefined })).toEqual({ a: "1" });
  });

  it("P-113: transformHeaders has the last word and is not passed on", async () => {
    const { models, calls } = setUp(keyed);
    await models.completeSimple(model, hello, {
      headers: { a: "1" },
      transformHeaders: (headers) => ({ ...headers, b: "2" }),
    });
    expect(calls[0]?.options.headers).toEqual({ a: "1", b: "2" });
    expect(calls[0]?.options).not.toHaveProperty("transformHeaders");
  });

  it("P-114, W-05: a blank key counts as not given", async () => {
    expect((await called(keyed, { apiKey: " " })).options.apiKey).toBe("env-1");
    expect((await called(keyed, { apiKey: " k \n" })).options.apiKey).toBe("k");
  });

  it("P-260: an abort before the call is one event, and the provider is not asked", async () => {
    const { models, calls } = setUp(keyed);
    const { events, message } = await readAll(
      models.streamSimple(model, hello, { signal: AbortSignal.abort() }),
    );
    expect(events).toMatchObject([{ type: "error", reason: "aborted" }]);
    expect(message.diagnostics?.[0]?.details?.class).toBe("aborted");
    expect(calls).toEqual([]);
  });

  it("P-261: an abort ends the wait for credentials", async () => {
    const { api } = recorder();
    const config = { id: "p", name: "Vendor", baseUrl: "https://a.example", models: [model], api };
    const models = createModels({
      env: {},
      providers: [createProvider(config)],
      credentials: () => new Promise(() => {}),
    });
    const controller = new AbortController();
    const stream = models.streamSimple(model, hello, { signal: controller.signal });
    controller.abort();
    expect((await stream.result()).stopReason).toBe("aborted");
  });

  it("P-200: credentials that cannot be had are an error event", async () => {
    const { api } = recorder();
    const config = { id: "p", name: "Vendor", baseUrl: "https://a.example", models: [model], api };
    const models = createModels({
      env: {},
      providers: [createProvider(config)],
      credentials: () => Promise.reject(new Error("store is locked")),
    });
    const message = await models.completeSimple(model, hello);
    expect(message).toMatchObject({ stopReason: "error", errorMessage: "store is locked" });
  });

  it("finds models by provider and id, and tells what is configured", () => {
    const { models } = setUp(keyed);
    expect(models.getModel("p", "m")).toBe(model);
    expect(models.getModel("p", "x")).toBeUndefined();
    expect(models.getModel("x", "m")).toBeUndefined();
    expect([models.isConfigured("p"), setUp().models.isConfigured("p")]).toEqual([true, false]);
  });
});

describe("a provider", () => {
  const config = (fields: Partial<ProviderConfig>): ProviderConfig => ({
    id: "p",
    name: "Vendor",
    baseUrl: "https://a.example",
    models: [model],
    api: recorder().api,
    ...fields,
  });

  it("P-120: one implementation serves every model, a map is asked by the model's api", async () => {
    const [one, two] = [recorder(), recorder()];
    const provider = createProvider(config({ api: { a: one.api, b: two.api } }));
    const transcript = (await called(keyed)).context;
    await provider.streamSimple({ ...model, api: "b" }, transcript).result();
    expect([one.calls.length, two.calls.length]).toEqual([0, 1]);
    const whole = recorder();
    await createProvider(config({ api: whole.api }))
      .streamSimple({ ...model, api: "b" }, transcript)
      .result();
    expect(whole.calls).toHaveLength(1);
  });

  it("P-121: without an implementation for the model's api there is only an error event", async () => {
    const provider = createProvider(config({ api: { a: recorder().api } }));
    const { context } = await called(keyed);
    for (const api of ["b", "toString"]) {
      const { events, message } = await readAll(provider.streamSimple({ ...model, api }, context));
      expect(events).toHaveLength(1);
      expect(message.errorMessage).toContain(api);
    }
  });

  it("P-122: without any implementation it cannot be made", () => {
    expect(() => createProvider(config({ api: {} }))).toThrow("p has no api");
  });

  it("P-123: lists chat models apart, and a list that cannot be had is empty", () => {
    const image = { ...model, id: "i", type: "image" };
    const provider = createProvider(config({ models: [model, image] }));
    expect(provider.getModels()).toEqual([model]);
    expect(provider.getAllModels()).toEqual([model, image]);
    const broken = createProvider(
      config({
        models: () => {
          throw new Error("offline");
        },
      }),
    );
    expect(broken.getAllModels()).toEqual([]);
    expect(broken.getModels()).toEqual([]);
  });
});
