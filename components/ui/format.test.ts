import { describe, expect, it } from "vitest";
import { formatCost, formatDuration, formatPrice, formatShare, formatTokens } from "./format";

describe("numbers as people read them", () => {
  it("tokens", () => {
    expect([0, 950, 1000, 12_400, 200_000, 1_048_576].map(formatTokens)).toEqual([
      "0",
      "950",
      "1K",
      "12.4K",
      "200K",
      "1M",
    ]);
  });
  it("costs and prices", () => {
    expect([0, 0.00002, 0.0042, 0.314, 12.4].map(formatCost)).toEqual([
      "$0",
      "<$0.0001",
      "$0.0042",
      "$0.31",
      "$12.40",
    ]);
    expect([3, 0.25, 1.25, 0.4, 2.5, 0.075].map(formatPrice)).toEqual([
      "$3",
      "$0.25",
      "$1.25",
      "$0.40",
      "$2.50",
      "$0.075",
    ]);
  });
  it("durations", () => {
    expect([85, 3200, 9960, 48_000, 60_000, 125_000].map(formatDuration)).toEqual([
      "85 ms",
      "3.2 s",
      "10 s",
      "48 s",
      "1 min",
      "2 min 5 s",
    ]);
  });
  it("shares", () => {
    expect([0, 0.004, 0.37, 1].map(formatShare)).toEqual(["0%", "<1%", "37%", "100%"]);
  });
});
