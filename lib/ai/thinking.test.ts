import { describe, expect, it } from "vitest";
import { testModel } from "./testing/run-stream.ts";
import {
  clampThinkingLevel,
  providerThinkingLevel,
  supportedThinkingLevels,
  thinkingBudget,
} from "./thinking.ts";
import type { Model, ThinkingLevel } from "./types.ts";

const model = (thinkingLevelMap?: Model["thinkingLevelMap"], reasoning = true): Model =>
  testModel({ api: "a", id: "m", baseUrl: "https://a.example", reasoning, thinkingLevelMap });

describe("thinking levels", () => {
  it("P-170: a model that does not reason knows only off", () => {
    expect(supportedThinkingLevels(model({ high: "high" }, false))).toEqual(["off"]);
  });

  it("P-171: null takes a level away, the two highest must be named", () => {
    expect(supportedThinkingLevels(model())).toEqual(["off", "minimal", "low", "medium", "high"]);
    expect(supportedThinkingLevels(model({ off: null, low: null, max: "max" }))).toEqual([
      "minimal",
      "medium",
      "high",
      "max",
    ]);
  });

  it.each<[ThinkingLevel, Model["thinkingLevelMap"], ThinkingLevel]>([
    ["low", {}, "low"],
    ["low", { low: null }, "medium"],
    ["max", {}, "high"],
    ["xhigh", { high: null, max: "max" }, "max"],
    ["off", { off: null }, "minimal"],
    ["high", { off: null, minimal: null, low: null, medium: null, high: null }, "off"],
  ])("P-172: %s of %j becomes %s", (level, map, expected) => {
    expect(clampThinkingLevel(model(map), level)).toBe(expected);
  });

  it("gives the vendor's own word for a level", () => {
    const mapped = model({ low: "tiny", high: null });
    expect(providerThinkingLevel(mapped, "low")).toBe("tiny");
    expect(providerThinkingLevel(mapped, "medium")).toBe("medium");
    expect(providerThinkingLevel(mapped, "high")).toBeUndefined();
  });

  it("P-173: budgets by level, the caller's first", () => {
    const levels = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
    expect(levels.map((level) => thinkingBudget(level))).toEqual([
      1024, 2048, 8192, 16384, 16384, 16384,
    ]);
    expect(thinkingBudget("low", { low: 7 })).toBe(7);
  });
});
