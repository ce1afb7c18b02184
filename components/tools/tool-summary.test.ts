import { describe, expect, it } from "vitest";
import { toolSummary } from "./tool-summary";

describe("a call in one line", () => {
  it.each([
    [{ expression: "1 +\n 2" }, "1 + 2"],
    [{ city: "Oslo", days: 3 }, "Oslo · 3"],
    [{ list: [1, 2] }, '{"list":[1,2]}'],
    [{}, ""],
    [null, ""],
  ])("%j", (args, expected) => {
    expect(toolSummary(args)).toBe(expected);
  });

  it("shows the first text of arguments that are still being written", () => {
    expect(toolSummary({}, '{"expression": "12.5 / 1')).toBe("12.5 / 1");
    expect(toolSummary({}, '{"path": "a\\"b\\nc", "x')).toBe('a"b c');
    expect(toolSummary({}, '{"expr')).toBe('{"expr');
  });

  it("is cut where it is long", () => {
    expect(toolSummary({ text: "a".repeat(500) })).toBe(`${"a".repeat(120)}…`);
  });
});
