import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { CatalogEntry } from "@/lib/ai/catalog/catalog-models";
import { reportLines } from "./print-report";
import { type PublicModel, parsePublicList, readPublicList } from "./public-list";
import { refreshFolder } from "./refresh-folder";
import { refreshProvider } from "./refresh-provider";

const known: CatalogEntry = {
  id: "alpha",
  name: "Alpha",
  api: "openai-completions",
  baseUrl: "https://vendor.example/v1",
  reasoning: true,
  input: ["text"],
  cost: { input: 2, output: 8, cacheRead: 0.2, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
  thinkingLevelMap: { off: null, high: "hard" },
  compat: { supportsStore: false, thinkingFormat: "deepseek" },
};

/** The entry as the public list has it. */
const alpha = {
  id: "alpha",
  name: "Alpha",
  attachment: false,
  reasoning: true,
  tool_call: true,
  modalities: { input: ["text"], output: ["text"] },
  cost: { input: 2, output: 8, cache_read: 0.2 },
  limit: { context: 1000, output: 100 },
} satisfies PublicModel & Record<string, unknown>;

const refreshed = (change: Partial<PublicModel>, entry = known): CatalogEntry | undefined =>
  refreshProvider([entry], [{ ...alpha, ...change }]).entries[0];

describe("a model that the catalog knows", () => {
  it("changes nothing where the list says the same", () => {
    expect(refreshProvider([known], [alpha])).toEqual({
      entries: [known],
      added: [],
      changed: [],
      gone: [],
    });
  });

  it("takes facts from the list, and keeps how it is asked", () => {
    const change: Partial<PublicModel> = {
      name: "Alpha 2",
      reasoning: false,
      modalities: { input: ["text", "image", "pdf"], output: ["text"] },
      cost: { input: 1, output: 4, cache_read: 0.1, cache_write: 1.25 },
      limit: { context: 2000, output: 200 },
    };
    const { entries, changed } = refreshProvider([known], [{ ...alpha, ...change }]);
    expect(entries).toEqual([
      {
        ...known,
        name: "Alpha 2",
        input: ["text", "image"],
        cost: { input: 1, output: 4, cacheRead: 0.1, cacheWrite: 1.25 },
        contextWindow: 2000,
        maxTokens: 200,
      },
    ]);
    expect(changed).toEqual([
      {
        id: "alpha",
        fields: [
          'name: "Alpha" -> "Alpha 2"',
          'input: ["text"] -> ["text","image"]',
          'cost: {"input":2,"output":8,"cacheRead":0.2,"cacheWrite":0} -> {"input":1,"output":4,"cacheRead":0.1,"cacheWrite":1.25}',
          "contextWindow: 1000 -> 2000",
          "maxTokens: 100 -> 200",
        ],
      },
    ]);
  });

  it("keeps what the list does not tell, or tells as 0", () => {
    const silent = { cost: undefined, modalities: undefined, limit: { context: 0 }, name: "" };
    expect(refreshed(silent)).toEqual(known);
  });

  it("takes price tiers, in either of the list's ways", () => {
    const cost = { input: 2, output: 8, cache_read: 0.2 };
    const high = { input: 4, output: 12 };
    const tier = { ...high, tier: { type: "context", size: 272_000 } };
    const costOf = (prices: PublicModel["cost"]) => refreshed({ cost: prices })?.cost?.tiers;
    const expected = { ...high, cacheRead: 0.2, cacheWrite: 0 };
    expect(costOf({ ...cost, tiers: [tier] })).toEqual([
      { inputTokensAbove: 272_000, ...expected },
    ]);
    expect(costOf({ ...cost, context_over_200k: { ...high, cache_read: 0.4 } })).toEqual([
      { inputTokensAbove: 200_000, ...expected, cacheRead: 0.4 },
    ]);
  });

  it("stays when the list has it no more, unless such models are to go", () => {
    const other = { ...alpha, id: "other", tool_call: false };
    expect(refreshProvider([known], [other])).toMatchObject({ entries: [known], gone: ["alpha"] });
    expect(refreshProvider([known], [other], { prune: true }).entries).toEqual([]);
  });
});

describe("a model that is new", () => {
  const sibling = { ...known, id: "beta", compat: { supportsStore: false, thinkingFormat: "zai" } };

  it("is asked as all its siblings are, and thinks at the levels that the list names", () => {
    const gamma: PublicModel = {
      ...alpha,
      id: "gamma",
      name: "Gamma",
      reasoning_options: [{ type: "effort", values: ["none", "low", "high", "max"] }],
    };
    const { entries, added } = refreshProvider(
      [known, sibling as CatalogEntry],
      [alpha, { ...alpha, id: "beta" }, gamma],
    );
    expect(added).toEqual(["gamma"]);
    expect(entries[2]).toEqual({
      ...known,
      id: "gamma",
      name: "Gamma",
      thinkingLevelMap: {
        off: "none",
        minimal: null,
        low: "low",
        medium: null,
        high: "high",
        xhigh: null,
        max: "max",
      },
      compat: { supportsStore: false },
    });
  });

  it("is asked as its own vendor's models are, at a provider of many vendors", () => {
    const claude = {
      ...known,
      id: "anthropic/old",
      api: "anthropic-messages",
      baseUrl: "https://vendor.example",
      compat: { forceAdaptiveThinking: true },
    } as CatalogEntry;
    const others = ["z/a", "z/b"].map((id) => ({ ...known, id }));
    const fresh = ["anthropic/new", "z/new", "y/new"].map((id) => ({ ...alpha, id }));
    const bySdk = { ...alpha, id: "y/sdk", provider: { npm: "@ai-sdk/anthropic" } };
    const { entries } = refreshProvider([claude, ...others], [...fresh, bySdk]);
    const apiOf = (id: string) => entries.find((entry) => entry.id === id)?.api;
    expect(apiOf("anthropic/new")).toBe("anthropic-messages");
    expect(apiOf("z/new")).toBe("openai-completions");
    expect(apiOf("y/new")).toBe("openai-completions");
    expect(apiOf("y/sdk")).toBe("anthropic-messages");
  });

  it("has no price and no sizes where the list tells none", () => {
    const { entries } = refreshProvider([known], [alpha, { id: "bare" }]);
    expect(entries[1]).toEqual({
      id: "bare",
      name: "bare",
      api: known.api,
      baseUrl: known.baseUrl,
      reasoning: false,
      input: ["text"],
      contextWindow: 0,
      maxTokens: 0,
      compat: known.compat,
    });
  });

  it("is left out when it does not chat, takes no tools or is on its way out", () => {
    const listed: PublicModel[] = [
      { ...alpha, id: "draws", modalities: { input: ["text"], output: ["image"] } },
      { ...alpha, id: "toolless", tool_call: false },
      { ...alpha, id: "old", status: "deprecated" },
      { ...alpha, id: "fresh", status: "beta" },
    ];
    expect(refreshProvider([known], [alpha, ...listed]).added).toEqual(["fresh"]);
  });
});

describe("the public list", () => {
  it("is read with and without an outer room, and faulty entries are left out and named", () => {
    const models = {
      alpha,
      "by-key": { name: "B" },
      bad: { limit: { context: "9" } },
    };
    const providers = { vendor: { id: "vendor", models }, broken: 7 };
    for (const body of [providers, { providers }]) {
      const list = parsePublicList(body);
      expect(list.providers.get("vendor")?.map(({ id }) => id)).toEqual(["alpha", "by-key"]);
      expect(list.faults.map((fault) => fault.split(": ").slice(0, 2))).toEqual([
        ["vendor/bad", "limit.context"],
        ["broken", "no models"],
      ]);
    }
  });

  it.each([[{}], [[]], ["list"], [{ vendor: { models: {} } }]])("is not %j", (body) => {
    expect(() => parsePublicList(body)).toThrow();
  });
});

describe("a folder", () => {
  let folder = "";
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function setUp() {
    folder = await mkdtemp(join(tmpdir(), "catalog-"));
    const put = (name: string, value: unknown) =>
      writeFile(join(folder, name), JSON.stringify(value));
    await put("together.json", [known]);
    await put("unlisted.json", [known]);
    await put("same.json", [known]);
    await put("list.txt", {
      togetherai: {
        models: { alpha: { ...alpha, limit: { context: 5 } }, b: { ...alpha, id: "b" } },
      },
      same: { models: { alpha } },
    });
    const entries = async (name: string) =>
      JSON.parse(await readFile(join(folder, name), "utf8")) as CatalogEntry[];
    return { list: await readPublicList(join(folder, "list.txt")), entries };
  }

  it("is refreshed file by file, by the list's names of the providers, and the changes are told", async () => {
    const { list, entries } = await setUp();
    const report = await refreshFolder(folder, list);
    expect(report.written).toEqual([join(folder, "together.json")]);
    expect(
      (await entries("together.json")).map(({ id, contextWindow }) => [id, contextWindow]),
    ).toEqual([
      ["alpha", 5],
      ["b", 1000],
    ]);
    expect(reportLines(report, list)).toEqual([
      "together: 1 new, 1 changed, 0 gone",
      "  + b",
      "  ~ alpha",
      "      contextWindow: 1000 -> 5",
      "Not in the list: unlisted.",
    ]);
    expect(reportLines(await refreshFolder(folder, list), list)).toEqual([
      "Nothing has changed.",
      "Not in the list: unlisted.",
    ]);
  });

  it("is left alone in a dry run", async () => {
    const { list, entries } = await setUp();
    const { written } = await refreshFolder(folder, list, { dryRun: true });
    expect(written.length).toBe(1);
    expect(await entries("together.json")).toEqual([known]);
  });
});
