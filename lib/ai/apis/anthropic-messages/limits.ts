import { fitMaxTokens } from "../../token-limits.ts";
import type { Message, Model } from "../../types.ts";

/** The vendor takes no smaller thinking budget. */
export const minThinkingBudget = 1024;
/** Tokens that stay for the answer when it shares the cap with thinking (P-174). */
const minAnswerTokens = 1024;
/** The vendor wants a cap in every request; this one goes out where neither caller nor catalog knows one. */
const unknownModelCap = 8192;

export interface OutputLimits {
  maxTokens: number;
  /** Absent: there is no room to think in. */
  thinkingBudget?: number;
}

/**
 * The cap of the output and a thinking budget below it. This vendor counts thinking inside `max_tokens`, so the caller's
 * `maxTokens` caps both: the budget shrinks until 1024 tokens are left for the answer. Where not even the smallest budget
 * fits under the cap, it is added on top, so that the answer keeps what was asked for it; a cap below half of that budget is
 * for a short answer, and goes out without thinking (P-414).
 *
 * @param asked the caller's cap; absent: what the model can
 * @param budget tokens that the level would like to think for; absent: no thinking by budget
 */
export function outputLimits(
  model: Model,
  messages: Message[],
  asked: number | undefined,
  budget: number | undefined,
): OutputLimits {
  const most = fitMaxTokens(
    model,
    model.maxTokens > 0 ? model.maxTokens : Math.max(asked ?? 0, unknownModelCap),
    messages,
  );
  const maxTokens = Math.max(1, Math.min(asked ?? most, most));
  if (budget === undefined) return { maxTokens };
  const room = maxTokens - minAnswerTokens;
  if (room >= minThinkingBudget) {
    return { maxTokens, thinkingBudget: Math.max(minThinkingBudget, Math.min(budget, room)) };
  }
  if (maxTokens > minThinkingBudget) return { maxTokens, thinkingBudget: minThinkingBudget };
  const raised = maxTokens + minThinkingBudget;
  if (maxTokens * 2 < minThinkingBudget || raised > most) return { maxTokens };
  return { maxTokens: raised, thinkingBudget: minThinkingBudget };
}
