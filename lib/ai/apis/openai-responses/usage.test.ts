import { describe, expect, it } from "vitest";
import { completed } from "../../testing/responses-events.ts";
import { play } from "../../testing/responses-play.ts";
import { testModel } from "../../testing/run-stream.ts";
import { sse } from "../../testing/vendor-server.ts";
import type { Model } from "../../types.ts";
import { usageFrom } from "./usage.ts";

const model = (fields: Partial<Model> = {}): Model =>
  testModel({ api: "openai-responses", id: "m", baseUrl: "https://api.example/v1", ...fields });

const counts = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 };

describe("usage of a response", () => {
  it("P-288: the tier that answered is priced, not the one that was asked for", async () => {
    const cost = async (fields: Record<string, unknown>): Promise<number> => {
      const { message } = await play({ body: sse([completed([], { usage: counts, ...fields })]) });
      return message.usage.cost.total;
    };
    expect(await cost({})).toBeCloseTo(0.0045, 12);
    expect(await cost({ service_tier: "flex" })).toBeCloseTo(0.00225, 12);
  });

  it("B162: cached tokens are part of the prompt and reasoning is part of the output", () => {
    const usage = usageFrom(
      model(),
      {
        ...counts,
        input_tokens_details: { cached_tokens: 900 },
        output_tokens_details: { reasoning_tokens: 40 },
      },
      undefined,
    );
    expect(usage).toMatchObject({
      input: 100,
      cacheRead: 900,
      cacheWrite: 0,
      output: 100,
      reasoning: 40,
      totalTokens: 1100,
    });
  });

  it("P-281: reasoning that a host counts outside the output is added to it", () => {
    const usage = usageFrom(
      model(),
      { ...counts, total_tokens: 1140, output_tokens_details: { reasoning_tokens: 40 } },
      undefined,
    );
    expect(usage).toMatchObject({ output: 140, reasoning: 40, totalTokens: 1140 });
  });

  it("P-282: the vendor's total is used as it is", () => {
    expect(usageFrom(model(), { ...counts, total_tokens: 1234 }, undefined)?.totalTokens).toBe(
      1234,
    );
    const { total_tokens: _, ...without } = counts;
    expect(usageFrom(model(), without, undefined)?.totalTokens).toBe(1100);
  });

  it("P-291: nothing is negative or not a number", () => {
    const usage = usageFrom(
      model(),
      { input_tokens: 5, input_tokens_details: { cached_tokens: 9 }, output_tokens: "many" },
      undefined,
    );
    expect(usage).toMatchObject({
      input: 0,
      cacheRead: 5,
      cacheWrite: 0,
      output: 0,
      totalTokens: 5,
    });
    expect(usageFrom(model(), null, undefined)).toBeUndefined();
  });

  it.each([
    ["default", "m", 1],
    ["flex", "m", 0.5],
    ["priority", "m", 2],
    ["fast", "m", 2],
    ["priority", "gpt-5.5", 2.5],
  ])("P-288: the tier %s of %s costs %d times as much", (tier, id, factor) => {
    const usage = usageFrom(model({ id }), counts, tier);
    expect(usage?.cost.input).toBeCloseTo(0.003 * factor, 12);
    expect(usage?.cost.total).toBeCloseTo(0.0045 * factor, 12);
  });

  it.each([
    ["billed", { cost: 0.01, is_byok: false }, 0.01],
    [
      "own key",
      { cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.2 } },
      0.21,
    ],
    [
      "own key, in parts",
      {
        cost: 0.01,
        is_byok: true,
        cost_details: {
          upstream_inference_cost: null,
          upstream_inference_input_cost: 0.1,
          upstream_inference_output_cost: 0.3,
        },
      },
      0.41,
    ],
    ["in ticks", { cost_in_usd_ticks: 6_543_500 }, 0.00065435],
  ])("P-287: what the vendor says it billed counts: %s", (_name, fields, total) => {
    const cost = usageFrom(model(), { ...counts, ...fields }, undefined)?.cost;
    expect(cost?.total).toBeCloseTo(total, 12);
    expect(cost?.totalFromProvider).toBe(true);
  });

  it.each([
    [{ cost: -1, is_byok: false }],
    [{ cost: "1", is_byok: false }],
    [{ cost: 1 }],
    [{ cost: 1, is_byok: true }],
    [{ cost: 1, is_byok: true, cost_details: { upstream_inference_cost: -2 } }],
  ])("P-287: %j leaves our estimate", (fields) => {
    const cost = usageFrom(model(), { ...counts, ...fields }, undefined)?.cost;
    expect(cost?.total).toBeCloseTo(0.0045, 12);
    expect(cost?.totalFromProvider).toBe(false);
  });

  it("P-410: a bill is known even where the price is not", () => {
    const bare = model({ cost: undefined });
    expect(usageFrom(bare, counts, "flex")?.cost).toMatchObject({ unpriced: true, total: 0 });
    const billed = usageFrom(bare, { ...counts, cost: 0.01, is_byok: false }, undefined)?.cost;
    expect(billed).toMatchObject({ total: 0.01, totalFromProvider: true });
    expect(billed).not.toHaveProperty("unpriced");
  });
});
