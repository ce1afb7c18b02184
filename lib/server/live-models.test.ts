import { describe, expect, it } from "vitest";
import { apis } from "@/lib/ai/apis/index";
import { createProvider, type Provider, type ProviderListOptions } from "@/lib/ai/provider";
import type { Model } from "@/lib/ai/types";
import { type ListTerms, LiveModels } from "./live-models";
import { LocalServers } from "./local-servers";

const minute = 60_000;

function modelOf(id: string): Model {
  const { contextWindow, maxTokens } = { contextWindow: 0, maxTokens: 0 };
  const base = { api: "openai-completions", provider: "p", baseUrl: "https://p.example" };
  return { ...base, id, name: id, reasoning: false, input: ["text"], contextWindow, maxTokens };
}

/** A provider whose list is answered by the test. */
function setUp(answer: (options: ProviderListOptions, call: number) => string[] | Error) {
  const calls: ProviderListOptions[] = [];
  const clock = { now: 0 };
  const provider: Provider = {
    ...createProvider({ id: "p", name: "P", baseUrl: "https://p.example", models: [], api: apis }),
    local: true,
    listModels: async (options = {}) => {
      calls.push(options);
      const ids = answer(options, calls.length);
      if (ids instanceof Error) throw ids;
      return ids.map(modelOf);
    },
  };
  const live = new LiveModels(() => clock.now);
  const list = async (terms: ListTerms = {}): Promise<string[]> =>
    (await live.list(provider, terms)).map(({ id }) => id);
  const shown = (): string[] => live.shown("p").map(({ id }) => id);
  return { calls, clock, provider, live, list, shown };
}

describe("LiveModels", () => {
  it("keeps a list for five minutes, unless it is to be asked for anew", async () => {
    const { calls, clock, list } = setUp((_options, call) => [`m${call}`]);
    expect(await list()).toEqual(["m1"]);
    clock.now = 5 * minute - 1;
    expect(await list()).toEqual(["m1"]);
    expect(await list({ refresh: true })).toEqual(["m2"]);
    clock.now += 5 * minute;
    expect(await list()).toEqual(["m3"]);
    expect(calls.length).toBe(3);
  });

  it("asks once for those who ask at the same time, and again after a failure", async () => {
    const { calls, list } = setUp((_options, call) => (call === 1 ? new Error("down") : ["m"]));
    const both = await Promise.allSettled([list(), list()]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(calls.length).toBe(1);
    expect(await list()).toEqual(["m"]);
  });

  it("keeps the lists of different keys and addresses apart", async () => {
    const { list } = setUp(({ apiKey, baseUrl }) => [`${apiKey} ${baseUrl}`]);
    const personal = true;
    expect(await list({ apiKey: "a", personal })).toEqual(["a undefined"]);
    expect(await list({ apiKey: "b", personal })).toEqual(["b undefined"]);
    expect(await list({ apiKey: "server" })).toEqual(["server undefined"]);
    const baseUrl = "https://own.example";
    expect(await list({ apiKey: "a", personal, baseUrl })).toEqual(["a https://own.example"]);
    expect(await list({ baseUrl })).toEqual(["undefined https://own.example"]);
  });

  it("shows everybody only what was listed without a person's key, at the provider's own address", async () => {
    const { list, shown, live } = setUp(({ apiKey, baseUrl }) => [apiKey ?? baseUrl ?? "shared"]);
    await list({ apiKey: "secret-tune", personal: true });
    await list({ baseUrl: "https://own.example" });
    expect(shown()).toEqual([]);
    await list();
    expect(shown()).toEqual(["shared"]);
    expect(live.find("p", "secret-tune")?.id).toBe("secret-tune");
    expect(live.find("p", "https://own.example")).toBeUndefined();
    expect(live.find("q", "shared")).toBeUndefined();
  });

  it("keeps no more than 64 lists, the newest", async () => {
    const { list, live } = setUp(({ apiKey }) => [apiKey ?? ""]);
    for (let index = 0; index < 65; index++) await list({ apiKey: `k${index}`, personal: true });
    expect(live.find("p", "k0")).toBeUndefined();
    expect(live.find("p", "k1")?.id).toBe("k1");
    expect(live.find("p", "k64")?.id).toBe("k64");
  });

  it("keeps no key", async () => {
    const { list, live } = setUp(() => ["m"]);
    await list({ apiKey: "sk-CANARY-1", personal: true });
    expect(
      JSON.stringify([...(live as unknown as { lists: Map<string, unknown> }).lists]),
    ).not.toContain("CANARY");
  });
});

describe("LocalServers", () => {
  it("shows what it finds, and no more what has gone", async () => {
    let up = true;
    const { clock, live, provider, shown } = setUp(() => (up ? ["m"] : new Error("refused")));
    const local = new LocalServers([provider], live, { loopbackOnly: true }, () => clock.now);
    await local.look();
    expect(shown()).toEqual(["m"]);
    up = false;
    clock.now += 5000;
    await local.look();
    expect(shown()).toEqual([]);
  });

  it("looks at most every five seconds, with a short limit", async () => {
    const { calls, clock, live, provider } = setUp(() => ["m"]);
    const local = new LocalServers([provider], live, { loopbackOnly: true }, () => clock.now);
    await Promise.all([local.look(), local.look()]);
    clock.now += 4999;
    await local.look();
    expect(calls.map(({ timeoutMs }) => timeoutMs)).toEqual([2000]);
    clock.now += 1;
    await local.look();
    expect(calls.length).toBe(2);
  });

  it("looks nowhere when others can reach the server, and at no provider that is not local", async () => {
    const { calls, live, provider } = setUp(() => ["m"]);
    await new LocalServers([provider], live, { loopbackOnly: false }).look();
    await new LocalServers([{ ...provider, local: false }], live, { loopbackOnly: true }).look();
    expect(calls).toEqual([]);
  });
});
