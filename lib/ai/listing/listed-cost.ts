import type { ModelCost } from "../types.ts";
import { isRecord, type Loose } from "../vendor-json.ts";

/** US dollars per million tokens that no model costs. */
const absurd = 10_000;

/**
 * An entry's price. Hosts tell it as `prompt` and `completion` or as `input` and `output`, per token or per million tokens,
 * as number or text; no price per token reaches a tenth of a cent and no price per million lies under it.
 * A cache price that is not told is the price of input, as no discount is promised.
 * @returns undefined where no price is told that makes sense
 */
export function listedCost(entry: Loose): ModelCost | undefined {
  const pricing = isRecord(entry.pricing) ? entry.pricing : undefined;
  if (!pricing) return undefined;
  const perRequest = "prompt" in pricing || "completion" in pricing;
  const input = price(perRequest ? pricing.prompt : pricing.input);
  const output = price(perRequest ? pricing.completion : pricing.output);
  if (input === undefined || output === undefined) return undefined;
  // Hosts that tell `input` and `output` put zeros where they sell a model by the hour only.
  if (!perRequest && input === 0 && output === 0) return undefined;
  const read = firstPrice(
    pricing.input_cache_read,
    pricing.input_cache_reads,
    pricing.cached_input,
  );
  const write = firstPrice(pricing.input_cache_write, pricing.input_cache_writes);
  const factor = Math.max(input, output) < 0.001 ? 1e6 : 1;
  const scale = (value: number): number => Number((value * factor).toPrecision(12));
  const cost = {
    input: scale(input),
    output: scale(output),
    cacheRead: scale(read ?? input),
    cacheWrite: scale(write ?? input),
  };
  return Object.values(cost).every((value) => value <= absurd) ? cost : undefined;
}

function firstPrice(...values: unknown[]): number | undefined {
  return values.map(price).find((value) => value !== undefined);
}

/** Negative prices stand for "it depends". */
function price(value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) {
    return undefined;
  }
  const number = typeof value === "string" && value.length > 40 ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
