import { describe, expect, it } from "vitest";
import type { ProviderInfo } from "@/lib/browser/models-response";
import { filterModels } from "./filter-models";

const provider = (id: string, configured: boolean, ...models: string[]): ProviderInfo => ({
  id,
  name: id.toUpperCase(),
  configured,
  needsKey: true,
  keyEnv: [],
  baseUrl: `https://${id}.example`,
  models: models.map((name) => ({
    id: name.toLowerCase().replaceAll(" ", "-"),
    name,
    api: "openai-completions",
    reasoning: false,
    thinkingLevels: ["off"],
    input: ["text"],
    contextWindow: 0,
    maxTokens: 0,
  })),
});
const providers = [
  provider("acme", false, "Sonnet 4", "Haiku 4"),
  provider("borg", true, "Borg Mini", "Borg Large"),
];
const none = (): boolean => false;
const names = (search: string, own = none): string[][] =>
  filterModels(providers, search, own).map((group) => [
    group.provider.id,
    ...group.models.map((model) => model.name),
  ]);

describe("searching models", () => {
  it("shows everything without a search, what can be used first", () => {
    expect(names("")).toEqual([
      ["borg", "Borg Mini", "Borg Large"],
      ["acme", "Sonnet 4", "Haiku 4"],
    ]);
  });
  it("counts a key that this browser keeps", () => {
    const groups = filterModels(providers, "", (id) => id === "acme");
    expect(groups.map((group) => [group.provider.id, group.ready])).toEqual([
      ["acme", true],
      ["borg", true],
    ]);
  });
  it("wants every word, in names, ids and providers, in any case", () => {
    expect(names("ACME haiku")).toEqual([["acme", "Haiku 4"]]);
    expect(names("borg-mini")).toEqual([["borg", "Borg Mini"]]);
    expect(names("haiku large")).toEqual([]);
  });
});
