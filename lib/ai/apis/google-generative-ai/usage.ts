import type { Model, Usage } from "../../types.ts";
import { makeUsage, tokenCount } from "../../usage.ts";
import { isRecord } from "../../vendor-json.ts";

const figures = [
  "promptTokenCount",
  "candidatesTokenCount",
  "thoughtsTokenCount",
  "toolUsePromptTokenCount",
  "cachedContentTokenCount",
  "totalTokenCount",
] as const;

/**
 * Usage of one answer. Each chunk tells the whole so far, and some only a part of the figures, so the last word on each
 * figure counts. Thoughts and tool prompts are counted beside the candidates and the prompt.
 */
export class UsageCounter {
  private readonly counts: Partial<Record<(typeof figures)[number], number>> = {};

  constructor(private readonly model: Model) {}

  /** The usage so far, or undefined when the chunk tells no figure. */
  add(metadata: unknown): Usage | undefined {
    if (!isRecord(metadata)) return undefined;
    let told = false;
    for (const name of figures) {
      const count = tokenCount(metadata[name]);
      if (count === undefined) continue;
      this.counts[name] = count;
      told = true;
    }
    if (!told) return undefined;
    const { counts } = this;
    const cached = counts.cachedContentTokenCount ?? 0;
    const thoughts = counts.thoughtsTokenCount;
    return makeUsage(this.model, {
      input: (counts.promptTokenCount ?? 0) - cached + (counts.toolUsePromptTokenCount ?? 0),
      output: (counts.candidatesTokenCount ?? 0) + (thoughts ?? 0),
      cacheRead: cached,
      reasoning: thoughts,
    });
  }
}
