import type { AnthropicMessagesCompat } from "../../compat.ts";
import type { Model, ModelCost, Usage } from "../../types.ts";
import { makeUsage, tokenCount } from "../../usage.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";

/** Counts usage as the vendor tells it: each field anew when it is there and not null, the others stay. */
export class UsageCounter {
  private counts: {
    input?: number;
    output?: number;
    cacheRead?: number;
    cacheWrite?: number;
    cacheWrite1h?: number;
    reasoning?: number;
  } = {};
  private fallbackModel: string | undefined;

  constructor(
    private readonly model: Model,
    private readonly compat: AnthropicMessagesCompat,
  ) {}

  /** Forgets all: the host began its answer anew. */
  reset(): void {
    this.counts = {};
    this.fallbackModel = undefined;
  }

  /** The usage so far, or undefined when the event tells none. */
  add(usage: unknown): Usage | undefined {
    if (!isRecord(usage)) return undefined;
    const told = {
      input: tokenCount(usage.input_tokens),
      output: tokenCount(usage.output_tokens),
      cacheRead: tokenCount(usage.cache_read_input_tokens),
      cacheWrite: tokenCount(usage.cache_creation_input_tokens),
      cacheWrite1h: tokenCount(nested(usage, "cache_creation").ephemeral_1h_input_tokens),
      reasoning: tokenCount(nested(usage, "output_tokens_details").thinking_tokens),
    };
    for (const [name, count] of Object.entries(told)) {
      if (count !== undefined) this.counts[name as keyof typeof told] = count;
    }
    if (Array.isArray(usage.iterations)) {
      const served = usage.iterations.findLast(
        (entry) => isRecord(entry) && entry.type === "fallback_message",
      ) as Loose | undefined;
      if (typeof served?.model === "string") this.fallbackModel = served.model;
    }
    return makeUsage(this.priced(), this.counts);
  }

  /** Who answered has its own price (P-290). */
  private priced(): Model {
    if (!this.fallbackModel) return this.model;
    const served = this.compat.allowedFallbackModels?.find(
      ({ model }) => model === this.fallbackModel,
    );
    return { ...this.model, cost: served?.cost as ModelCost | undefined };
  }
}

function nested(usage: Loose, key: string): Loose {
  const value = usage[key];
  return isRecord(value) ? value : {};
}
