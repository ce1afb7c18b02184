import type { Cost } from "./types.ts";

/** xAI bills in ticks: ten thousand million of them are a US dollar. */
const ticksPerDollar = 1e10;

/**
 * The cost with the total that the vendor says it billed, where its usage object holds one: OpenRouter's `cost` (P-287), xAI's
 * `cost_in_usd_ticks`. A field that is missing, negative or not a number leaves our estimate.
 */
export function billedCost(estimate: Cost, usage: Record<string, unknown>): Cost {
  const total = openRouterTotal(usage) ?? ticksTotal(usage);
  if (total === undefined) return estimate;
  const { unpriced: _, ...cost } = estimate;
  return { ...cost, total, totalFromProvider: true };
}

function openRouterTotal(usage: Record<string, unknown>): number | undefined {
  const cost = amount(usage.cost);
  if (cost === undefined || typeof usage.is_byok !== "boolean") return undefined;
  if (!usage.is_byok) return cost;
  const details = (usage.cost_details ?? {}) as Record<string, unknown>;
  if (details.upstream_inference_cost !== null && details.upstream_inference_cost !== undefined) {
    const upstream = amount(details.upstream_inference_cost);
    return upstream === undefined ? undefined : cost + upstream;
  }
  const prompt = amount(
    details.upstream_inference_prompt_cost ?? details.upstream_inference_input_cost,
  );
  const completion = amount(
    details.upstream_inference_completions_cost ?? details.upstream_inference_output_cost,
  );
  return prompt === undefined || completion === undefined ? undefined : cost + prompt + completion;
}

function ticksTotal(usage: Record<string, unknown>): number | undefined {
  const ticks = amount(usage.cost_in_usd_ticks);
  return ticks === undefined ? undefined : ticks / ticksPerDollar;
}

function amount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
