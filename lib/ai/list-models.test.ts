import { afterEach, describe, expect, it } from "vitest";
import { ProviderError } from "./errors.ts";
import { type ListModelsOptions, listModels } from "./list-models.ts";
import { type ListAnswer, type ModelServer, startModelServer } from "./testing/model-server.ts";
import { testModel } from "./testing/run-stream.ts";
import type { Api, Model } from "./types.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

interface Setup {
  api?: Api;
  provider?: string;
  path?: string;
  options?: ListModelsOptions;
  known?: Model[];
}

async function list(
  routes: Record<string, ListAnswer>,
  { api = "openai-completions", provider = "host", path = "/v1", options, known }: Setup = {},
): Promise<Model[]> {
  server = await startModelServer(routes);
  return listModels({ provider, api, baseUrl: `${server.origin}${path}` }, options, known);
}

const ofList = (data: unknown[], setup?: Setup): Promise<Model[]> =>
  list({ "/v1/models": { json: { object: "list", data } } }, setup);

/** What a model is when nothing but its id is told. */
const bare = (id: string, change: Partial<Model> = {}): Model => ({
  id,
  name: id,
  api: "openai-completions",
  provider: "host",
  baseUrl: `${server?.origin}/v1`,
  reasoning: false,
  input: ["text"],
  contextWindow: 0,
  maxTokens: 0,
  ...change,
});

async function failure(promise: Promise<unknown>): Promise<ProviderError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw new Error(`Not a ProviderError: ${String(error)}`);
  return error;
}

describe("shapes of hosts", () => {
  it("takes OpenAI's list, which tells nothing but ids", async () => {
    const models = await ofList(
      [{ id: "gpt-next", object: "model", created: 1, owned_by: "openai" }],
      { api: "openai-responses", options: { apiKey: "sk-one" } },
    );
    expect(models).toEqual([bare("gpt-next", { api: "openai-responses" })]);
    expect(server?.requests[0]).toMatchObject({
      method: "GET",
      url: "/v1/models",
      headers: { authorization: "Bearer sk-one", "user-agent": "Rill" },
    });
  });

  it("takes OpenRouter's prices per token, sizes, input kinds and parameters", async () => {
    const entry = {
      id: "vendor/m",
      name: "Vendor: M",
      context_length: 200_000,
      architecture: { input_modalities: ["text", "image", "file"], output_modalities: ["text"] },
      pricing: { prompt: "0.000003", completion: "0.000015", input_cache_read: "0.0000003" },
      top_provider: { context_length: 128_000, max_completion_tokens: 64_000 },
      supported_parameters: ["tools", "reasoning", "include_reasoning"],
    };
    const [model, free, auto] = await ofList([
      entry,
      { id: "vendor/m:free", pricing: { prompt: "0", completion: "0" }, supported_parameters: [] },
      { id: "auto", pricing: { prompt: "-1", completion: "-1" } },
    ]);
    expect(model).toEqual(
      bare("vendor/m", {
        name: "Vendor: M",
        reasoning: true,
        input: ["text", "image"],
        contextWindow: 200_000,
        maxTokens: 64_000,
        cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3 },
      }),
    );
    expect(free).toEqual(
      bare("vendor/m:free", { cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }),
    );
    expect(auto).toEqual(bare("auto"));
  });

  it("takes OpenRouter's thinking: whether it can be off, and which efforts there are", async () => {
    const [always, any] = await ofList([
      { id: "a", reasoning: { mandatory: true, supported_efforts: ["max", "high", "low"] } },
      { id: "b", reasoning: { mandatory: false, supported_efforts: null } },
    ]);
    expect(always).toMatchObject({
      reasoning: true,
      thinkingLevelMap: {
        off: null,
        minimal: null,
        low: "low",
        medium: null,
        high: "high",
        xhigh: null,
        max: "max",
      },
    });
    expect(any).toMatchObject({ reasoning: true, thinkingLevelMap: { off: "none" } });
  });

  it("takes vLLM's max_model_len, Groq's and Mistral's fields, and a bare array as Together's", async () => {
    expect(
      await ofList([
        { id: "Qwen/Q", owned_by: "vllm", max_model_len: 32_768 },
        { id: "lora", owned_by: "vllm", parent: "Qwen/Q", max_model_len: null },
        { id: "groq", context_window: 131_072, max_completion_tokens: 8192 },
        {
          id: "mistral",
          max_context_length: 262_144,
          type: "base",
          capabilities: { completion_chat: true, vision: true },
        },
      ]),
    ).toEqual([
      bare("Qwen/Q", { contextWindow: 32_768 }),
      bare("lora"),
      bare("groq", { contextWindow: 131_072, maxTokens: 8192 }),
      bare("mistral", { contextWindow: 262_144, input: ["text", "image"] }),
    ]);
    await server?.stop();
    const together = [
      {
        id: "T",
        display_name: "Together T",
        type: "chat",
        context_length: 8192,
        pricing: { hourly: 0, input: 0.18, output: 0.5, base: 0 },
      },
      { id: "hourly", type: "chat", pricing: { hourly: 2, input: 0, output: 0 } },
    ];
    expect(await list({ "/v1/models": { json: together } })).toEqual([
      bare("T", {
        name: "Together T",
        contextWindow: 8192,
        cost: { input: 0.18, output: 0.5, cacheRead: 0.18, cacheWrite: 0.18 },
      }),
      bare("hourly"),
    ]);
  });

  it("takes Anthropic's list over its pages, with its sizes and capabilities", async () => {
    const yes = { supported: true };
    const no = { supported: false };
    const pages: Record<string, unknown> = {
      "/v1/models?limit=1000": {
        data: [
          {
            type: "model",
            id: "claude-next",
            display_name: "Claude Next",
            max_input_tokens: 1_000_000,
            max_tokens: 128_000,
            capabilities: {
              image_input: yes,
              thinking: { supported: true, types: { adaptive: yes, enabled: no } },
              effort: { supported: true, low: yes, high: yes, max: yes, xhigh: no },
            },
          },
        ],
        has_more: true,
        last_id: "claude-next",
      },
      "/v1/models?limit=1000&after_id=claude-next": {
        data: [{ type: "model", id: "claude-old", display_name: "Claude Old" }],
        has_more: false,
        last_id: "claude-old",
      },
    };
    const api = "anthropic-messages";
    const models = await list(
      {
        "/v1/models": ({ url }, response) => {
          response.end(JSON.stringify(pages[url] ?? {}));
        },
      },
      // With and without the version, as with requests.
      { api, path: "/v1/", options: { apiKey: "sk-ant-1" } },
    );
    const baseUrl = `${server?.origin}/v1/`;
    expect(models).toEqual([
      bare("claude-next", {
        name: "Claude Next",
        api,
        baseUrl,
        reasoning: true,
        thinkingLevelMap: { max: "max" },
        compat: { forceAdaptiveThinking: true },
        input: ["text", "image"],
        contextWindow: 1_000_000,
        maxTokens: 128_000,
      }),
      bare("claude-old", { name: "Claude Old", api, baseUrl }),
    ]);
    expect(server?.requests[0]?.headers).toMatchObject({
      "x-api-key": "sk-ant-1",
      "anthropic-version": "2023-06-01",
    });
  });

  it("takes Google's list over its pages: only what generates content as text", async () => {
    const entry = (name: string, supportedGenerationMethods: string[], more = {}) => ({
      name: `models/${name}`,
      displayName: name.toUpperCase(),
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods,
      ...more,
    });
    const pages: Record<string, unknown> = {
      "/v1beta/models?pageSize=1000": {
        models: [
          entry("gemini-next", ["generateContent", "countTokens"], { thinking: true }),
          entry("gemini-next-tts", ["generateContent"]),
          entry("gemini-next-flash-image", ["generateContent"]),
          entry("gemini-embedding-9", ["embedContent"]),
        ],
        nextPageToken: "p 2",
      },
      "/v1beta/models?pageSize=1000&pageToken=p+2": {
        models: [entry("gemma-next", ["generateContent"]), entry("imagen-9", ["predict"])],
      },
    };
    const api = "google-generative-ai";
    const models = await list(
      {
        "/v1beta/models": ({ url }, response) => {
          response.end(JSON.stringify(pages[url]));
        },
      },
      { api, path: "/v1beta", options: { apiKey: "AIza1" } },
    );
    const sizes = { contextWindow: 1_048_576, maxTokens: 65_536 };
    const common = { api, baseUrl: `${server?.origin}/v1beta`, ...sizes };
    expect(models).toEqual([
      bare("gemini-next", {
        ...common,
        name: "GEMINI-NEXT",
        reasoning: true,
        input: ["text", "image"],
      }),
      bare("gemma-next", { ...common, name: "GEMMA-NEXT" }),
    ]);
    expect(server?.requests[0]?.headers["x-goog-api-key"]).toBe("AIza1");
    expect(server?.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("keeps the query of an address and lets given headers win", async () => {
    await list(
      { "/v1/models": { json: { data: [] } } },
      {
        path: "/v1/?api-version=1",
        options: { apiKey: "k", headers: { Authorization: null, "api-key": "own" } },
      },
    );
    expect(server?.requests[0]?.url).toBe("/v1/models?api-version=1");
    expect(server?.requests[0]?.headers).toMatchObject({ "api-key": "own" });
    expect(server?.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe("servers on one's own machine", () => {
  it("asks Ollama for each model's capabilities and for the context of those that are loaded", async () => {
    const about: Record<string, unknown> = {
      "qwen:8b": { capabilities: ["completion", "vision", "thinking"] },
      "gpt-oss:20b": { capabilities: ["completion", "thinking"], parameters: "num_ctx   8192\n" },
      "minilm:33m": { capabilities: ["embedding"] },
    };
    const provider = "ollama";
    const models = await list(
      {
        "/v1/models": { json: { object: "list", data: Object.keys(about).map((id) => ({ id })) } },
        "/api/ps": { json: { models: [{ model: "qwen:8b", context_length: 16_384 }] } },
        "/api/show": ({ body }, response) => {
          const { model } = JSON.parse(body) as { model: string };
          response.end(JSON.stringify(about[model]));
        },
      },
      { provider },
    );
    const thinks = { provider, reasoning: true, compat: { supportsReasoningEffort: true } };
    expect(models).toEqual([
      bare("qwen:8b", {
        ...thinks,
        thinkingLevelMap: { off: "none", minimal: null },
        input: ["text", "image"],
        contextWindow: 16_384,
      }),
      bare("gpt-oss:20b", {
        ...thinks,
        thinkingLevelMap: { off: null, minimal: null },
        contextWindow: 8192,
      }),
    ]);
  });

  it("lists Ollama's models, an empty list as null too, when it tells no more", async () => {
    expect(await ofList([{ id: "llama3" }], { provider: "ollama" })).toEqual([
      bare("llama3", { provider: "ollama" }),
    ]);
    await server?.stop();
    const none = { "/v1/models": { json: { object: "list", data: null } } };
    expect(await list(none, { provider: "ollama" })).toEqual([]);
  });

  it("asks LM Studio for types, sight and contexts", async () => {
    const provider = "lmstudio";
    const models = await list(
      {
        "/v1/models": { json: { data: [{ id: "see" }, { id: "plain" }, { id: "nomic" }] } },
        "/api/v0/models": {
          json: {
            data: [
              { id: "see", type: "vlm", max_context_length: 32_768, loaded_context_length: 4096 },
              { id: "plain", type: "llm", max_context_length: 8192 },
              { id: "nomic", type: "embeddings", max_context_length: 2048 },
            ],
          },
        },
      },
      { provider },
    );
    expect(models).toEqual([
      bare("see", { provider, input: ["text", "image"], contextWindow: 4096 }),
      bare("plain", { provider, contextWindow: 8192 }),
    ]);
  });

  it("asks llama.cpp for the context that it was started with", async () => {
    const json = {
      models: [{ name: "q.gguf", model: "q.gguf", capabilities: ["completion", "multimodal"] }],
      object: "list",
      data: [{ id: "q.gguf", owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } }],
    };
    const provider = "llamacpp";
    const sees = { provider, input: ["text", "image"] as Model["input"] };
    expect(await list({ "/v1/models": { json } }, { provider })).toEqual([
      bare("q.gguf", { ...sees, contextWindow: 131_072 }),
    ]);
    await server?.stop();
    const props = { default_generation_settings: { n_ctx: 4096 } };
    const routes = { "/v1/models": { json }, "/props": { json: props } };
    expect(await list(routes, { provider })).toEqual([
      bare("q.gguf", { ...sees, contextWindow: 4096 }),
    ]);
  });
});

describe("what is not for chat", () => {
  it.each([
    [{ id: "a", type: "embedding" }],
    [{ id: "a", type: "image" }],
    [{ id: "a", type: "audio" }],
    [{ id: "a", type: "rerank" }],
    [{ id: "a", model_type: "moderation" }],
    [{ id: "a", architecture: { output_modalities: ["image"] } }],
    [{ id: "a", architecture: { modality: "text->image" } }],
    [{ id: "a", capabilities: { completion_chat: false } }],
    [{ id: "a", supports_chat: false }],
    [{ id: "a", capabilities: ["image"] }],
    [{ id: "text-embedding-3-small" }],
    [{ id: "nvidia/nv-embedqa-e5-v5" }],
    [{ id: "whisper-1" }],
    [{ id: "gpt-4o-mini-tts" }],
    [{ id: "gpt-4o-transcribe" }],
    [{ id: "gpt-image-1" }],
    [{ id: "chatgpt-image-latest" }],
    [{ id: "dall-e-3" }],
    [{ id: "sora-2-pro" }],
    [{ id: "omni-moderation-latest" }],
    [{ id: "grok-imagine-video" }],
    [{ id: "gpt-realtime-mini" }],
    [{ id: "davinci-002" }],
  ])("leaves %j out", async (entry) => {
    expect((await ofList([entry, { id: "chat" }])).map(({ id }) => id)).toEqual(["chat"]);
  });

  it.each([
    [{ id: "image-reader", architecture: { output_modalities: ["text", "image"] } }],
    [{ id: "my-embedder-that-chats", type: "chat" }],
    [{ id: "gpt-5.5-pro" }],
    [{ id: "imagination-7b" }],
    [{ id: "org/model-images-v2" }],
    [{ id: "a", capabilities: ["vision", "image-input"] }],
  ])("keeps %j", async (entry) => {
    expect((await ofList([entry])).map(({ id }) => id)).toEqual([entry.id]);
  });

  it("keeps what the catalog has as a chat model, whatever its name", async () => {
    const known = [testModel({ api: "a", id: "gpt-realtime", baseUrl: "https://a.example" })];
    expect((await ofList([{ id: "gpt-realtime" }], { known })).length).toBe(1);
  });
});

describe("models that the catalog knows", () => {
  const cost = {
    input: 2,
    output: 8,
    cacheRead: 0.5,
    cacheWrite: 0,
    tiers: [{ inputTokensAbove: 1000, input: 4, output: 16, cacheRead: 1, cacheWrite: 0 }],
  };
  const known: Model = {
    id: "m",
    name: "The Model",
    api: "anthropic-messages",
    provider: "host",
    baseUrl: "https://elsewhere.example",
    reasoning: true,
    thinkingLevelMap: { off: null },
    input: ["text", "image"],
    cost,
    contextWindow: 1000,
    maxTokens: 100,
    compat: { forceAdaptiveThinking: true },
  };

  it("keep every fact that the list does not tell", async () => {
    expect(await ofList([{ id: "m", name: "m", object: "model" }], { known: [known] })).toEqual([
      known,
    ]);
  });

  it("take sizes, input and a price that has changed from the list", async () => {
    const told = {
      id: "m",
      context_length: 2000,
      max_output_tokens: 200,
      supports_image_input: false,
      pricing: { input: 3, output: 8 },
    };
    expect(await ofList([told], { known: [known] })).toEqual([
      {
        ...known,
        contextWindow: 2000,
        maxTokens: 200,
        input: ["text"],
        cost: { input: 3, output: 8, cacheRead: 3, cacheWrite: 3 },
      },
    ]);
  });

  it("keep the catalog's tiers and cache prices while the price is the same", async () => {
    const told = { id: "m", pricing: { prompt: "0.000002", completion: "0.000008" } };
    expect(await ofList([told], { known: [known] })).toEqual([known]);
  });
});

describe("hostile lists", () => {
  it("takes no entry, id, name, size or price that cannot be", async () => {
    const models = await ofList([
      null,
      7,
      "m",
      [],
      {},
      { id: 5 },
      { id: "" },
      { id: "a\nb" },
      { id: "right\u202eleft" },
      { id: "lone\ud800" },
      { id: "x".repeat(301) },
      { id: "twice", context_length: 1 },
      { id: "twice", context_length: 2 },
      { id: "sizes", context_length: -1, context_window: 1e300, max_tokens: "9" },
      { id: "prices", pricing: { prompt: "1e400", completion: "x" } },
      { id: "absurd", pricing: { input: 20_000, output: 20_000 } },
      { id: "odd", architecture: [], pricing: "free", capabilities: 3, supported_parameters: {} },
      { id: "named", display_name: `A\u0000B\n\u202e ${"n".repeat(5000)}` },
    ]);
    expect(models).toEqual([
      bare("twice", { contextWindow: 1 }),
      bare("sizes"),
      bare("prices"),
      bare("absurd"),
      bare("odd"),
      bare("named", { name: `A B ${"n".repeat(196)}` }),
    ]);
  });

  it("takes the names of an object's own parts as ids like any other", async () => {
    const body =
      '{"data":[{"id":"__proto__","__proto__":{"type":"embedding"}},{"id":"constructor"}]}';
    const models = await list({
      "/v1/models": (_request, response) => {
        response.end(body);
      },
    });
    expect(models.map(({ id }) => id)).toEqual(["__proto__", "constructor"]);
    expect(({} as { type?: string }).type).toBeUndefined();
  });

  it("reads no more bytes, models and pages than it may", async () => {
    const data = Array.from({ length: 50 }, (_, index) => ({ id: `m${index}` }));
    expect((await ofList(data, { options: { maxModels: 3 } })).map(({ id }) => id)).toEqual([
      "m0",
      "m1",
      "m2",
    ]);
    await server?.stop();
    const error = await failure(ofList(data, { options: { maxBytes: 512 } }));
    expect(error.message).toBe("The answer is larger than 0 KiB.");
    await server?.stop();

    let page = 0;
    const endless: ListAnswer = (_request, response) => {
      page += 1;
      response.end(
        JSON.stringify({ data: [{ id: `p${page}` }], has_more: true, last_id: page.toString() }),
      );
    };
    expect((await list({ "/v1/models": endless }, { api: "anthropic-messages" })).length).toBe(20);
    await server?.stop();
    const same = { json: { data: [{ id: "m" }], has_more: true, last_id: "m" } };
    expect((await list({ "/v1/models": same }, { api: "anthropic-messages" })).length).toBe(1);
    expect(server?.requests.length).toBe(2);
  });

  it.each([
    ["an object", { hello: 1 }],
    ["a string", "models"],
    ["a list that is none", { data: { id: "m" } }],
  ])("says that %s is no list", async (_what, json) => {
    const error = await failure(list({ "/v1/models": { json } }));
    expect(error.message).toBe("The answer is not a list of models.");
  });

  it("says that a page is not JSON", async () => {
    const error = await failure(
      list({
        "/v1/models": (_request, response) => {
          response.end("<html>");
        },
      }),
    );
    expect(error.message).toBe("The answer is not JSON.");
  });
});

describe("failures", () => {
  it("tells the vendor's sentence and class, without the key", async () => {
    const apiKey = "sk-CANARY-0123456789";
    const json = { error: { message: `Incorrect API key provided: ${apiKey}` } };
    const error = await failure(
      list({ "/v1/models": { status: 401, json } }, { options: { apiKey } }),
    );
    expect(error).toMatchObject({ status: 401, errorClass: "auth" });
    expect(error.message).toBe("401: Incorrect API key provided: [redacted]");
  });

  it("follows no redirect", async () => {
    const error = await failure(
      list({
        "/v1/models": (_request, response) => {
          response.writeHead(302, { location: "/elsewhere" }).end();
        },
      }),
    );
    expect(error.message).toBe("The host answers with a redirect, which is not followed.");
    expect(server?.requests.map(({ url }) => url)).toEqual(["/v1/models"]);
  });

  it("is of class network where nobody answers", async () => {
    server = await startModelServer({});
    const baseUrl = server.origin;
    await server.stop();
    server = undefined;
    const error = await failure(listModels({ provider: "p", api: "openai-completions", baseUrl }));
    expect(error.errorClass).toBe("network");
  });

  it.each(["before the head", "in the middle of the body"])(
    "ends in time when a host falls silent %s",
    async (when) => {
      const error = await failure(
        list(
          {
            "/v1/models": (_request, response) => {
              if (when !== "before the head") response.write('{"data":[');
            },
          },
          { options: { timeoutMs: 60 } },
        ),
      );
      expect(error).toMatchObject({
        errorClass: "timeout",
        message: "The host did not answer in time.",
      });
    },
  );

  it("ends in time with a fetch that does not heed its signal", async () => {
    const error = await failure(
      listModels(
        { provider: "p", api: "openai-completions", baseUrl: "http://p.example" },
        { timeoutMs: 20, fetch: () => new Promise(() => {}) },
      ),
    );
    expect(error.errorClass).toBe("timeout");
  });

  it("lists what it has when only the server's further facts are late", async () => {
    const models = await list(
      { "/v1/models": { json: { data: [{ id: "m" }] } }, "/api/v0/models": () => {} },
      { provider: "lmstudio", options: { timeoutMs: 500 } },
    );
    expect(models).toEqual([bare("m", { provider: "lmstudio" })]);
  });

  it("stops when it is aborted", async () => {
    const controller = new AbortController();
    const error = await failure(
      list({ "/v1/models": () => controller.abort() }, { options: { signal: controller.signal } }),
    );
    expect(error.errorClass).toBe("aborted");
  });
});
