import type { Usage } from "@/lib/ai/types";
import type { EntryRow } from "@/lib/browser/db/rows";

export interface UsageSummary {
  /** Tokens of all requests together. */
  total: number;
  input: number;
  cached: number;
  output: number;
  /** US dollars; absent when no answer had a price. */
  cost?: number;
  /** Some answers had no price, so there is more to `cost`. */
  costIncomplete: boolean;
  /** What the next request begins with: the size of the last one and its answer. */
  context: number;
}

/** What a conversation has used; undefined before a vendor reported anything. */
export function summarizeUsage(
  entries: readonly EntryRow[],
  live?: Usage,
): UsageSummary | undefined {
  const reported: Usage[] = [];
  for (const { message } of entries) {
    const usage =
      message.role === "assistant" || message.role === "toolResult" ? message.usage : undefined;
    if (usage && !usage.unreported) reported.push(usage);
  }
  const last = live ?? lastAnswerUsage(entries);
  if (live) reported.push(live);
  if (reported.length === 0) return undefined;
  const summary: UsageSummary = {
    total: 0,
    input: 0,
    cached: 0,
    output: 0,
    costIncomplete: false,
    context: last ? last.input + last.cacheRead + last.cacheWrite + last.output : 0,
  };
  for (const usage of reported) {
    summary.total += usage.totalTokens;
    summary.input += usage.input + usage.cacheWrite;
    summary.cached += usage.cacheRead;
    summary.output += usage.output;
    if (usage.cost.unpriced) summary.costIncomplete = true;
    else summary.cost = (summary.cost ?? 0) + usage.cost.total;
  }
  return summary;
}

function lastAnswerUsage(entries: readonly EntryRow[]): Usage | undefined {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const message = entries[index]?.message;
    if (
      message?.role === "assistant" &&
      !message.usage.unreported &&
      message.usage.totalTokens > 0
    ) {
      return message.usage;
    }
  }
  return undefined;
}
