import type { AgentMessage } from "@/lib/agent/types";

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en");

/** US dollars: two digits from a cent on, else as many as tell something. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return dollars < 0.0001 ? "<$0.0001" : `$${dollars.toFixed(4)}`;
}

/**
 * What a branch has used. An unknown price and unknown tokens are left out, never shown as zero.
 * @param contextWindow tokens; 0: not known
 */
export function summarizeUsage(
  messages: AgentMessage[],
  contextWindow: number,
): { text: string; title: string } | undefined {
  let tokens = 0;
  let cost = 0;
  let priced = false;
  let filled = 0;
  for (const message of messages) {
    if (message.role !== "assistant" || message.usage.unreported) continue;
    tokens += message.usage.totalTokens;
    filled = message.usage.totalTokens;
    if (!message.usage.cost.unpriced) {
      priced = true;
      cost += message.usage.cost.total;
    }
  }
  if (tokens === 0) return undefined;
  const share =
    contextWindow > 0 ? Math.min(100, Math.round((filled / contextWindow) * 100)) : undefined;
  const parts = [
    `${compact.format(tokens)} tokens`,
    ...(priced && cost > 0 ? [formatCost(cost)] : []),
    ...(share === undefined ? [] : [`${share}% of context`]),
  ];
  return {
    text: parts.join(" · "),
    title: `${whole.format(tokens)} tokens in all requests of this branch; the last one filled ${whole.format(filled)}.`,
  };
}
