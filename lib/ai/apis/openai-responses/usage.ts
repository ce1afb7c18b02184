import { billedCost } from "../../billed-cost.ts";
import type { Model, Usage } from "../../types.ts";
import { makeUsage, scaleCost, tokenCount } from "../../usage.ts";
import { isLoose, looseOf, textOf } from "./loose.ts";

/** What a service tier costs against the standard price (P-288). */
function tierFactor(model: Model, tier: string | undefined): number {
  if (tier === "flex") return 0.5;
  if (tier === "priority" || tier === "fast") return model.id === "gpt-5.5" ? 2.5 : 2;
  return 1;
}

/**
 * Usage of a response: its prompt tokens hold those read from and written to the cache, which are counted apart here.
 * @param tier the service tier that answered
 * @returns undefined when the vendor reported nothing
 */
export function usageFrom(model: Model, reported: unknown, tier: unknown): Usage | undefined {
  if (!isLoose(reported)) return undefined;
  const inputDetails = looseOf(reported.input_tokens_details);
  const prompt = tokenCount(reported.input_tokens) ?? 0;
  const cacheRead = Math.min(prompt, tokenCount(inputDetails.cached_tokens) ?? 0);
  const cacheWrite = Math.min(prompt - cacheRead, tokenCount(inputDetails.cache_write_tokens) ?? 0);
  const reasoning = tokenCount(looseOf(reported.output_tokens_details).reasoning_tokens);
  const total = tokenCount(reported.total_tokens);
  let output = tokenCount(reported.output_tokens) ?? 0;
  // Some hosts count reasoning outside the output tokens; the total gives them away.
  if (reasoning && total === prompt + output + reasoning) output += reasoning;
  const usage = makeUsage(model, {
    input: prompt - cacheRead - cacheWrite,
    output,
    cacheRead,
    cacheWrite,
    reasoning,
  });
  if (total) usage.totalTokens = total;
  const factor = tierFactor(model, textOf(tier));
  if (factor !== 1) usage.cost = scaleCost(usage.cost, factor);
  usage.cost = billedCost(usage.cost, reported);
  return usage;
}
