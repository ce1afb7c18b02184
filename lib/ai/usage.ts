import type { Cost, Model, ModelCost, Prices, Usage } from "./types.ts";

/** Usage of a response of which the vendor has said nothing yet. */
export function emptyUsage(): Usage {
  return {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    unreported: true,
  };
}

/** Tokens as a vendor counts them; what is missing or not a number counts as 0, and nothing is negative (P-291). */
export interface UsageCounts {
  input?: unknown;
  output?: unknown;
  cacheRead?: unknown;
  cacheWrite?: unknown;
  cacheWrite1h?: unknown;
  reasoning?: unknown;
}

/** A token count from untyped data: a whole number that is not negative, or undefined. */
export function tokenCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.max(0, Math.round(value))
    : undefined;
}

/** Usage with its cost by the model's prices. */
export function makeUsage(model: Model, counts: UsageCounts): Usage {
  const input = tokenCount(counts.input) ?? 0;
  const output = tokenCount(counts.output) ?? 0;
  const cacheRead = tokenCount(counts.cacheRead) ?? 0;
  const cacheWrite = tokenCount(counts.cacheWrite) ?? 0;
  const cacheWrite1h = tokenCount(counts.cacheWrite1h);
  const reasoning = tokenCount(counts.reasoning);
  const counted = { input, output, cacheRead, cacheWrite, cacheWrite1h };
  if (cacheWrite1h !== undefined) counted.cacheWrite1h = Math.min(cacheWrite1h, cacheWrite);
  const usage: Usage = {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    cost: calculateCost(model.cost, counted),
  };
  if (counted.cacheWrite1h !== undefined) usage.cacheWrite1h = counted.cacheWrite1h;
  if (reasoning !== undefined) usage.reasoning = reasoning;
  return usage;
}

/** US dollars for a usage by prices per million tokens; `unpriced` when the price is not known (P-283 to P-286, P-410). */
export function calculateCost(
  cost: ModelCost | undefined,
  usage: Pick<Usage, "input" | "output" | "cacheRead" | "cacheWrite" | "cacheWrite1h">,
): Cost {
  if (!cost) return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0, unpriced: true };
  const rates = ratesFor(cost, usage.input + usage.cacheRead + usage.cacheWrite);
  const hour = usage.cacheWrite1h ?? 0;
  const input = (rates.input * usage.input) / 1e6;
  const output = (rates.output * usage.output) / 1e6;
  const cacheRead = (rates.cacheRead * usage.cacheRead) / 1e6;
  const cacheWrite = (rates.cacheWrite * (usage.cacheWrite - hour) + 2 * rates.input * hour) / 1e6;
  const total = input + output + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, total, totalFromProvider: false };
}

function ratesFor(cost: ModelCost, promptTokens: number): Prices {
  let best: ModelCost | (Prices & { inputTokensAbove: number }) = cost;
  let threshold = -1;
  for (const tier of cost.tiers ?? []) {
    if (promptTokens > tier.inputTokensAbove && tier.inputTokensAbove > threshold) {
      best = tier;
      threshold = tier.inputTokensAbove;
    }
  }
  return best;
}

/** The cost times a factor (a service tier's discount or surcharge, P-288). */
export function scaleCost(cost: Cost, factor: number): Cost {
  const scaled = {
    ...cost,
    input: cost.input * factor,
    output: cost.output * factor,
    cacheRead: cost.cacheRead * factor,
    cacheWrite: cost.cacheWrite * factor,
  };
  scaled.total = scaled.input + scaled.output + scaled.cacheRead + scaled.cacheWrite;
  return scaled;
}
