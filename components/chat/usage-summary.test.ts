import { describe, expect, it } from "vitest";
import type { AssistantMessage, Usage } from "@/lib/ai/types";
import type { EntryRow } from "@/lib/browser/db/rows";
import { summarizeUsage } from "./usage-summary";

const usage = (fields: Partial<Usage>, total?: number): Usage => ({
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  ...fields,
  cost: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    total: total ?? 0,
    ...(total === undefined && { unpriced: true }),
  },
});
const answer = (own: Usage): EntryRow =>
  ({
    id: "a",
    message: { role: "assistant", content: [], usage: own } as unknown as AssistantMessage,
  }) as EntryRow;

describe("what a conversation has used", () => {
  it("is nothing before anything was reported", () => {
    expect(summarizeUsage([])).toBeUndefined();
    expect(summarizeUsage([answer({ ...usage({}), unreported: true })])).toBeUndefined();
  });

  it("adds up answers, and takes the context from the last one", () => {
    const entries = [
      answer(usage({ input: 100, output: 20, totalTokens: 120 }, 0.01)),
      answer(usage({ input: 10, cacheRead: 110, output: 30, totalTokens: 150 }, 0.002)),
    ];
    expect(summarizeUsage(entries)).toEqual({
      total: 270,
      input: 110,
      cached: 110,
      output: 50,
      cost: 0.012,
      costIncomplete: false,
      context: 150,
    });
  });

  it("shows no cost without a price, and says when there is more to it", () => {
    const unpriced = answer(usage({ input: 1, totalTokens: 1 }));
    expect(summarizeUsage([unpriced])?.cost).toBeUndefined();
    const both = summarizeUsage([unpriced, answer(usage({ input: 1, totalTokens: 1 }, 0.5))]);
    expect([both?.cost, both?.costIncomplete]).toEqual([0.5, true]);
  });

  it("counts what is still growing", () => {
    expect(summarizeUsage([], usage({ input: 7, output: 2, totalTokens: 9 }, 0))?.context).toBe(9);
  });
});
