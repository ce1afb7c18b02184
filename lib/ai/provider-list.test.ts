import { afterEach, describe, expect, it } from "vitest";
import { createProvider } from "./provider.ts";
import { builtinProviders } from "./providers/all.ts";
import { type ModelServer, startModelServer } from "./testing/model-server.ts";
import { testModel } from "./testing/run-stream.ts";
import type { ApiImplementation } from "./types.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const api = {} as ApiImplementation;
const known = testModel({
  api: "x",
  id: "known",
  baseUrl: "https://vendor.example",
  name: "Known",
});
const config = { id: "p", name: "P", models: [known], api: { x: api } };
const ids = { json: { data: [{ id: "known" }, { id: "new" }] } };

describe("Provider.listModels", () => {
  it("lists from the provider's address, with the api that its list is for", async () => {
    server = await startModelServer({ "/v1/models": ids });
    const baseUrl = `${server.origin}/v1`;
    const provider = createProvider({ ...config, baseUrl, list: { api: "openai-responses" } });
    const models = await provider.listModels?.({ apiKey: "k" });
    expect(models?.map(({ id, name, api, baseUrl }) => ({ id, name, api, baseUrl }))).toEqual([
      { id: "known", name: "Known", api: "x", baseUrl: "https://vendor.example" },
      { id: "new", name: "new", api: "openai-responses", baseUrl },
    ]);
    expect(provider.getModels()).toEqual([known]);
  });

  it("lists from another address, where its models are then asked", async () => {
    server = await startModelServer({ "/models": ids });
    const provider = createProvider({
      ...config,
      baseUrl: "https://vendor.example",
      list: { api: "openai-completions", baseUrl: "https://vendor.example/lists" },
    });
    const models = await provider.listModels?.({ baseUrl: server.origin });
    expect(models?.map(({ baseUrl }) => baseUrl)).toEqual([server.origin, server.origin]);
  });

  it("is not there without a live list", () => {
    expect(createProvider({ ...config, baseUrl: "demo:" }).listModels).toBeUndefined();
  });

  it("is there for every provider but the demo, in an api that the provider speaks", () => {
    const without = builtinProviders().filter((provider) => !provider.listModels);
    expect(without.map(({ id }) => id)).toEqual(["demo"]);
    for (const provider of builtinProviders()) {
      const spoken = provider.getModels().map((model) => model.api);
      if (provider.listApi && spoken.length > 0) expect(spoken).toContain(provider.listApi);
    }
  });
});
