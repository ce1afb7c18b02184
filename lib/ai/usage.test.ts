import { describe, expect, it } from "vitest";
import { billedCost } from "./billed-cost.ts";
import { testModel } from "./testing/run-stream.ts";
import type { ModelCost } from "./types.ts";
import { calculateCost, emptyUsage, makeUsage, scaleCost, tokenCount } from "./usage.ts";

const price: ModelCost = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const model = testModel({ api: "a", id: "m", baseUrl: "https://a.example", cost: price });
const tokens = { input: 1000, output: 100, cacheRead: 2000, cacheWrite: 400 };

describe("usage", () => {
  it("P-280, P-282: holds every count, and their sum as total", () => {
    expect(makeUsage(model, { ...tokens, cacheWrite1h: 100, reasoning: 40 })).toMatchObject({
      ...tokens,
      cacheWrite1h: 100,
      reasoning: 40,
      totalTokens: 3500,
    });
    const bare = makeUsage(model, { input: 1, output: 2 });
    expect(bare).toMatchObject({ cacheRead: 0, cacheWrite: 0, totalTokens: 3 });
    expect(bare).not.toHaveProperty("cacheWrite1h");
    expect(bare).not.toHaveProperty("reasoning");
  });

  it("P-281: what is kept for an hour is part of what is written", () => {
    expect(makeUsage(model, { cacheWrite: 5, cacheWrite1h: 9 }).cacheWrite1h).toBe(5);
  });

  it("P-283, P-286: prices are per million tokens, and the total is the sum of four parts", () => {
    const { cost } = makeUsage(model, tokens);
    expect(cost.input).toBeCloseTo(0.003, 12);
    expect(cost.output).toBeCloseTo(0.0015, 12);
    expect(cost.cacheRead).toBeCloseTo(0.0006, 12);
    expect(cost.cacheWrite).toBeCloseTo(0.0015, 12);
    expect(cost.total).toBeCloseTo(0.0066, 12);
    expect(cost.totalFromProvider).toBe(false);
  });

  it("P-284: the highest tier that the prompt is above replaces all rates, whatever the list's order", () => {
    const tier = (
      inputTokensAbove: number,
      rate: number,
    ): NonNullable<ModelCost["tiers"]>[number] => ({
      inputTokensAbove,
      input: rate,
      output: rate,
      cacheRead: rate,
      cacheWrite: rate,
    });
    const tiers = [tier(2000, 100), tier(1000, 10), tier(3000, 1000)];
    const rate = (input: number, cacheRead: number, list = tiers): number =>
      calculateCost({ ...price, tiers: list }, { input, output: 1e6, cacheRead, cacheWrite: 0 })
        .output;
    expect(rate(1000, 0)).toBe(15);
    expect(rate(1000, 1)).toBe(10);
    expect(rate(1500, 501)).toBe(100);
    expect(rate(9000, 0)).toBe(1000);
    expect(rate(1500, 501, [...tiers].reverse())).toBe(100);
  });

  it("P-285: what is kept for an hour costs twice the price of input", () => {
    const cost = calculateCost(price, { ...tokens, cacheWrite1h: 100 });
    expect(cost.cacheWrite).toBeCloseTo((3.75 * 300 + 2 * 3 * 100) / 1e6, 12);
  });

  it("P-288: a tier's factor goes over all parts, and the total is summed again", () => {
    const half = scaleCost(calculateCost(price, tokens), 0.5);
    expect(half.input).toBeCloseTo(0.0015, 12);
    expect(half.total).toBeCloseTo(0.0033, 12);
  });

  it("P-287: what the vendor billed replaces the total alone", () => {
    const estimate = calculateCost(price, tokens);
    expect(billedCost(estimate, { cost: 1, is_byok: false })).toEqual({
      ...estimate,
      total: 1,
      totalFromProvider: true,
    });
    expect(billedCost(estimate, { cost: null, is_byok: false })).toBe(estimate);
  });

  it("P-291, W-20: nothing is negative, and nothing is not a number", () => {
    const usage = makeUsage(model, {
      input: -3,
      output: Number.NaN,
      cacheRead: "12",
      cacheWrite: null,
      reasoning: Number.POSITIVE_INFINITY,
    });
    expect(usage).toEqual({
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: {
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        total: 0,
        totalFromProvider: false,
      },
    });
    expect([tokenCount(1.6), tokenCount(-1), tokenCount("1")]).toEqual([2, 0, undefined]);
  });

  it("P-410: an unknown price is told as unknown, and so is usage that was not reported", () => {
    expect(makeUsage({ ...model, cost: undefined }, tokens).cost).toMatchObject({
      total: 0,
      unpriced: true,
    });
    expect(emptyUsage()).toMatchObject({ totalTokens: 0, unreported: true });
    expect(makeUsage(model, tokens)).not.toHaveProperty("unreported");
  });
});
