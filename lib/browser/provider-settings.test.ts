import { describe, expect, it } from "vitest";
import { checkProviderSettings } from "./provider-settings";

const saved = { apiKey: "sk-x", baseUrl: "https://h.example/v1" };

describe("a saved key stays with the place that it was saved for", () => {
  it.each([
    ["another path", "https://h.example/v2", "sk-x"],
    ["the same host in clear", "http://h.example/v1", undefined],
    ["another port", "https://h.example:8443/v1", undefined],
    ["another host", "https://other.example/v1", undefined],
    ["the provider's own", undefined, undefined],
  ])("%s", (_place, baseUrl, apiKey) => {
    expect(checkProviderSettings(saved, { baseUrl }).apiKey).toBe(apiKey);
  });
});
