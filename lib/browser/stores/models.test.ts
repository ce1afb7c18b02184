import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { type ModelsStore, modelsStore } from "./models";

const model = {
  id: "m",
  name: "M",
  api: "openai-responses",
  reasoning: false,
  thinkingLevels: ["off"],
  input: ["text"],
  contextWindow: 1000,
  maxTokens: 0,
};
const provider = {
  id: "p",
  name: "P",
  configured: true,
  needsKey: false,
  keyEnv: [],
  baseUrl: "",
  models: [model],
};

function storeOf(...answers: (() => Response)[]) {
  return createStore<ModelsStore>()(
    modelsStore(async () => {
      const answer = answers.shift();
      if (!answer) throw new TypeError("fetch failed");
      return answer();
    }),
  );
}

describe("the list of models", () => {
  it("is read and searched by provider and id", async () => {
    const store = storeOf(() => Response.json({ providers: [provider], tools: [] }));
    await Promise.all([store.getState().load(), store.getState().load()]);
    const { find, loaded, error } = store.getState();
    expect({ loaded, error }).toEqual({ loaded: true, error: undefined });
    expect(find({ provider: "p", id: "m" })?.model.name).toBe("M");
    expect(find({ provider: "p", id: "other" })).toBeUndefined();
    expect(find({ provider: "other", id: "m" })).toBeUndefined();
    expect(find(undefined)).toBeUndefined();
  });

  it("stays when it cannot be read again, with a sentence that says why", async () => {
    const bad = { ...provider, models: [{ ...model, name: 7 }] };
    const store = storeOf(
      () => Response.json({ providers: [provider], tools: [] }),
      () => Response.json({ providers: [bad], tools: [] }),
      () => new Response("<html>", { status: 200 }),
      () => new Response("", { status: 502 }),
    );
    const errors: (string | undefined)[] = [];
    for (let call = 0; call < 5; call++) {
      await store.getState().load();
      errors.push(store.getState().error);
    }
    expect(errors).toEqual([
      undefined,
      "The server's list of models has a wrong field: providers.0.models.0.name.",
      "The server's list of models has a wrong field: body.",
      "Rill's server answered with status 502.",
      "The models cannot be listed: Rill's server cannot be reached.",
    ]);
    expect(store.getState().providers).toHaveLength(1);
  });
});
