import { beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { openDatabase } from "../db/open";
import { freshDatabase } from "../testing/fresh-database";
import { type SettingsStore, settingsStore } from "./settings";

beforeEach(freshDatabase);

async function loaded() {
  const store = createStore<SettingsStore>()(settingsStore());
  await store.getState().load();
  return store;
}

describe("settings", () => {
  it("have defaults, keep what was set over a reload, and take it back", async () => {
    const store = await loaded();
    expect(store.getState()).toMatchObject({
      theme: "system",
      tools: {},
      favourites: [],
      thinkingLevel: "off",
      providers: {},
      loaded: true,
    });
    await store.getState().set({ theme: "dark", systemPrompt: "Be brief.", tools: { a: "off" } });
    expect((await loaded()).getState()).toMatchObject({
      theme: "dark",
      systemPrompt: "Be brief.",
      tools: { a: "off" },
    });
    await store.getState().set({ systemPrompt: undefined, theme: undefined });
    expect(store.getState()).toMatchObject({ theme: "system", systemPrompt: undefined });
    expect((await loaded()).getState()).toMatchObject({
      theme: "system",
      systemPrompt: undefined,
      tools: { a: "off" },
    });
  });

  it("that cannot be read leave the defaults and say so", async () => {
    vi.stubGlobal("indexedDB", undefined);
    const store = await loaded();
    expect(store.getState()).toMatchObject({
      theme: "system",
      loaded: true,
      error: expect.stringContaining("normal (not private) window"),
    });
  });

  it("of one bad row are left out, and the row stays", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const database = await openDatabase();
    await database.put("settings", { id: "general", theme: "pink" } as never);
    await database.put("settings", { id: "provider:openai", apiKey: "k" });
    const store = await loaded();
    expect(store.getState()).toMatchObject({
      theme: "system",
      providers: { openai: { apiKey: "k" } },
    });
    expect(await database.get("settings", "general")).toEqual({ id: "general", theme: "pink" });
  });
});

describe("a provider's key", () => {
  it("is stored for the provider and forgotten with it", async () => {
    const store = await loaded();
    await store.getState().setProvider("openai", { apiKey: " sk-1 " });
    expect((await loaded()).getState().providers).toEqual({ openai: { apiKey: "sk-1" } });
    await store.getState().setProvider("openai", null);
    expect(store.getState().providers).toEqual({});
    expect(await (await openDatabase()).getAll("settings")).toEqual([]);
  });

  it("stays with its host", async () => {
    const store = await loaded();
    const set = store.getState().setProvider;
    const now = () => store.getState().providers.openai;
    await set("openai", { apiKey: "sk-1" });
    await set("openai", { baseUrl: "https://one.example/v1" });
    expect(now()).toEqual({ baseUrl: "https://one.example/v1" });
    await set("openai", { apiKey: "sk-2" });
    await set("openai", { baseUrl: "https://one.example/v2" });
    expect(now()).toEqual({ apiKey: "sk-2", baseUrl: "https://one.example/v2" });
    await set("openai", { baseUrl: "http://one.example:8080/v2" });
    expect(now()).toEqual({ baseUrl: "http://one.example:8080/v2" });
    await set("openai", { apiKey: "sk-3", baseUrl: "https://two.example" });
    expect(now()).toEqual({ apiKey: "sk-3", baseUrl: "https://two.example" });
    await set("openai", { baseUrl: "" });
    expect(now()).toEqual({});
    expect((await loaded()).getState().providers).toEqual({ openai: {} });
  });

  it("that cannot be one is refused without being quoted, and nothing changes", async () => {
    const store = await loaded();
    const refused = store.getState().setProvider("openai", { apiKey: "sk-ключ" });
    await expect(refused).rejects.toThrow(/^An API key has no spaces/);
    await expect(refused).rejects.not.toThrow(/sk-/);
    expect(store.getState().providers).toEqual({});
  });

  it.each([
    ["llm.example/v1", "https://"],
    ["ftp://llm.example", "https://"],
    ["https://me:secret@llm.example", "user name or password"],
  ])("is not stored with the address %s", async (baseUrl, sentence) => {
    const store = await loaded();
    await expect(store.getState().setProvider("openai", { baseUrl })).rejects.toThrow(sentence);
    expect(store.getState().providers).toEqual({});
  });
});
