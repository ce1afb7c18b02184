import { billedCost } from "../../billed-cost.ts";
import type { Model, Usage } from "../../types.ts";
import { makeUsage, scaleCost, tokenCount } from "../../usage.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";
import { isHost, isOpenAIHost } from "./compat.ts";

/** OpenAI's price for a request by the tier that served it (P-288). */
const tierFactors: Record<string, number> = { flex: 0.5, priority: 2 };

/** Where a chunk tells usage: hosts put it at the top, in the choice or in a field of their own. */
export function findUsage(chunk: Loose, choice: Loose | undefined): Loose | undefined {
  if (hasCounts(chunk.usage)) return chunk.usage;
  if (hasCounts(choice?.usage)) return choice.usage;
  const groq = isRecord(chunk.x_groq) ? chunk.x_groq.usage : undefined;
  return hasCounts(groq) ? groq : undefined;
}

function hasCounts(usage: unknown): usage is Loose {
  return (
    isRecord(usage) &&
    Object.entries(usage).some(
      ([name, value]) => name.endsWith("_tokens") && tokenCount(value) !== undefined,
    )
  );
}

/** A host's usage as ours: input without what the cache gave or took, output with reasoning, however the host counts them. */
export function readUsage(usage: Loose, model: Model, serviceTier: unknown): Usage {
  const prompt = tokenCount(usage.prompt_tokens) ?? tokenCount(usage.input_tokens) ?? 0;
  const completion = tokenCount(usage.completion_tokens) ?? tokenCount(usage.output_tokens) ?? 0;
  const promptDetails = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const outputDetails = isRecord(usage.completion_tokens_details)
    ? usage.completion_tokens_details
    : {};
  const cacheRead = largest(
    promptDetails.cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cached_tokens,
    usage.cache_read_input_tokens,
  );
  const cacheWrite = largest(
    promptDetails.cache_write_tokens,
    promptDetails.cache_creation_tokens,
    usage.cache_creation_input_tokens,
  );
  const told = tokenCount(outputDetails.reasoning_tokens) ?? tokenCount(usage.reasoning_tokens);
  const beside = reasoningBeside(prompt, completion, told, tokenCount(usage.total_tokens), model);
  const output = completion + beside;
  const reasoning = told ?? (beside > 0 ? beside : undefined);
  const result = makeUsage(model, {
    input: prompt - cacheRead - cacheWrite,
    output,
    cacheRead,
    cacheWrite,
    ...(reasoning !== undefined && { reasoning: Math.min(reasoning, output) }),
  });
  const factor = isOpenAIHost(model) ? tierFactors[String(serviceTier)] : undefined;
  if (factor !== undefined) result.cost = scaleCost(result.cost, factor);
  result.cost = billedCost(result.cost, usage);
  return result;
}

/** Reasoning tokens that a host counts beside the completion tokens: then only all three make up its total. */
function reasoningBeside(
  prompt: number,
  completion: number,
  reasoning: number | undefined,
  total: number | undefined,
  model: Model,
): number {
  const rest = (total ?? 0) - prompt - completion;
  if (rest <= 0) return 0;
  // Gemini's compatible endpoint does not even name them.
  if (reasoning === undefined) return isHost(model, "google") ? rest : 0;
  return rest === reasoning ? reasoning : 0;
}

function largest(...values: unknown[]): number {
  return Math.max(0, ...values.map((value) => tokenCount(value) ?? 0));
}
