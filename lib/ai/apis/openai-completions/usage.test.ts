import { describe, expect, it } from "vitest";
import { finish, text, usageChunk } from "../../testing/completions-chunks.ts";
import { play } from "../../testing/play-completions.ts";
import { testModel } from "../../testing/run-stream.ts";
import type { Model } from "../../types.ts";
import { findUsage, readUsage } from "./usage.ts";

const model = (provider = "vendor"): Model =>
  testModel({
    api: "openai-completions",
    id: "m",
    baseUrl: "http://127.0.0.1:1/v1",
    provider,
    cost: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 2 },
  });

describe("where usage stands", () => {
  const counts = { prompt_tokens: 1 };
  it.each<[string, Record<string, unknown>, Record<string, unknown> | undefined]>([
    ["at the top", { usage: counts }, undefined],
    ["in the choice", { usage: null }, { usage: counts }],
    ["in Groq's field", { x_groq: { id: "r", usage: counts } }, undefined],
  ])("is found %s", (_name, chunk, choice) => {
    expect(findUsage(chunk, choice)).toBe(counts);
  });

  it("is nowhere when there are no numbers", () => {
    expect(
      findUsage({ usage: {}, x_groq: "r" }, { usage: { prompt_tokens: "many" } }),
    ).toBeUndefined();
  });
});

describe("usage", () => {
  it("P-289: the last word counts, whatever was told before", async () => {
    const { message } = await play([
      { ...text("Hi"), usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 } },
      { ...finish("stop"), usage: { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23 } },
      usageChunk({ prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }),
    ]);
    expect(message.usage).toMatchObject({ input: 20, output: 9, totalTokens: 29 });
  });

  it("takes cached tokens out of the input, and prices all parts", () => {
    const usage = readUsage(
      {
        prompt_tokens: 1000,
        completion_tokens: 10,
        total_tokens: 1010,
        prompt_tokens_details: { cached_tokens: 900 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
      model(),
      undefined,
    );
    expect(usage).toMatchObject({
      input: 100,
      cacheRead: 900,
      cacheWrite: 0,
      output: 10,
      reasoning: 4,
      totalTokens: 1010,
    });
    expect(usage.cost.total).toBeCloseTo(0.00029, 10);
  });

  it.each<[string, Record<string, unknown>, Record<string, number>]>([
    [
      "W-13: the largest of the cache fields",
      { prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 8 },
      { input: 12, cacheRead: 8 },
    ],
    ["Moonshot's", { cached_tokens: 5 }, { input: 15, cacheRead: 5 }],
    [
      "what was written to the cache",
      { prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 6 } },
      { input: 10, cacheRead: 4, cacheWrite: 6 },
    ],
    ["never less than nothing", { cached_tokens: 50 }, { input: 0, cacheRead: 50 }],
    [
      "reasoning that is counted beside the completion",
      { completion_tokens_details: { reasoning_tokens: 30 }, total_tokens: 60 },
      { output: 40, reasoning: 30, totalTokens: 60 },
    ],
    [
      "reasoning that is part of the completion",
      { completion_tokens_details: { reasoning_tokens: 7 }, total_tokens: 30 },
      { output: 10, reasoning: 7, totalTokens: 30 },
    ],
    [
      "more reasoning than completion",
      { reasoning_tokens: 11, total_tokens: 30 },
      { output: 10, reasoning: 10 },
    ],
    ["a total that holds something else", { total_tokens: 99 }, { output: 10, totalTokens: 30 }],
  ])("counts %s", (_name, fields, expected) => {
    expect(
      readUsage({ prompt_tokens: 20, completion_tokens: 10, ...fields }, model(), undefined),
    ).toMatchObject(expected);
  });

  it("Gemini's unnamed thinking is found in the total", () => {
    const counts = { prompt_tokens: 8, completion_tokens: 27, total_tokens: 250 };
    expect(readUsage(counts, model("google"), undefined)).toMatchObject({
      output: 242,
      reasoning: 215,
      totalTokens: 250,
    });
  });

  const billed = { prompt_tokens: 20, completion_tokens: 10, cost: 0.5 };
  it.each<[string, Record<string, unknown>, number | undefined]>([
    ["the bill", { is_byok: false }, 0.5],
    [
      "own key: fee and the vendor's bill",
      { is_byok: true, cost_details: { upstream_inference_cost: 2 } },
      2.5,
    ],
    [
      "own key: fee and both parts",
      {
        is_byok: true,
        cost_details: {
          upstream_inference_cost: null,
          upstream_inference_prompt_cost: 1,
          upstream_inference_completions_cost: 3,
        },
      },
      4.5,
    ],
    ["own key without the vendor's bill", { is_byok: true }, undefined],
    ["no word of whose key", {}, undefined],
    ["a negative bill", { is_byok: false, cost: -1 }, undefined],
  ])("P-287: %s", (_name, fields, total) => {
    const { cost } = readUsage({ ...billed, ...fields }, model("openrouter"), undefined);
    expect(cost.totalFromProvider).toBe(total !== undefined);
    expect(cost.total).toBeCloseTo(total ?? 0.00012, 10);
  });

  it("P-288: OpenAI's tiers change the price, other hosts' do not", () => {
    const counts = { prompt_tokens: 20, completion_tokens: 10 };
    expect(readUsage(counts, model("openai"), "flex").cost.total).toBeCloseTo(0.00006, 10);
    expect(readUsage(counts, model("openai"), "priority").cost.total).toBeCloseTo(0.00024, 10);
    expect(readUsage(counts, model("groq"), "flex").cost.total).toBeCloseTo(0.00012, 10);
  });
});
