import type { GoogleGenerativeAICompat } from "../../compat.ts";
import { clampThinkingLevel, providerThinkingLevel } from "../../thinking.ts";
import type { Model, ReasoningLevel, ThinkingBudgets, ThinkingLevel } from "../../types.ts";
import type { GoogleThinking } from "./options.ts";

/** Tokens that stay for the answer, since thinking counts inside `maxOutputTokens` (P-174). */
const minAnswerTokens = 1024;

type BudgetTable = Record<"minimal" | "low" | "medium" | "high", number> & { least: number };

/** Budgets of the models that take one. `least` is the smallest that the vendor takes; 0 turns thinking off. */
function budgetTable(modelId: string): BudgetTable | undefined {
  if (/gemini-2\.5-pro/.test(modelId)) {
    return { minimal: 128, low: 2048, medium: 8192, high: 32_768, least: 128 };
  }
  if (/gemini-2\.5-flash-lite/.test(modelId)) {
    return { minimal: 512, low: 2048, medium: 8192, high: 24_576, least: 0 };
  }
  if (/gemini-2\.5-flash/.test(modelId)) {
    return { minimal: 128, low: 2048, medium: 8192, high: 24_576, least: 0 };
  }
  return undefined;
}

/**
 * What a level of ours is to this vendor, or undefined for a model that does not think. A model that cannot be kept from
 * thinking thinks as little as it can when the level is off.
 * @param maxTokens the cap of the whole output, if there is one; a budget leaves room below it
 */
export function googleThinking(
  model: Model,
  compat: GoogleGenerativeAICompat,
  level: ThinkingLevel,
  budgets: ThinkingBudgets | undefined,
  maxTokens: number | undefined,
): GoogleThinking | undefined {
  if (!compat.supportsThinking) return undefined;
  if (compat.thinkingLevels) {
    if (level === "off") return { thinkingLevel: leastLevel(model).toUpperCase() };
    const word = providerThinkingLevel(model, level) ?? level;
    return { includeThoughts: true, thinkingLevel: word.toUpperCase() };
  }
  const table = budgetTable(model.id.toLowerCase());
  if (level === "off") return { thinkingBudget: table?.least ?? 0 };
  const wanted = budgets?.[level] ?? table?.[tableLevel(level)] ?? -1;
  const room = maxTokens === undefined ? wanted : maxTokens - minAnswerTokens;
  const fitted = wanted < 0 ? wanted : Math.max(table?.least ?? 0, Math.min(wanted, room));
  return { includeThoughts: true, thinkingBudget: fitted };
}

function tableLevel(level: ReasoningLevel): "minimal" | "low" | "medium" | "high" {
  return level === "xhigh" || level === "max" ? "high" : level;
}

function leastLevel(model: Model): string {
  const least = clampThinkingLevel(
    { ...model, thinkingLevelMap: { ...model.thinkingLevelMap, off: null } },
    "off",
  );
  const word = providerThinkingLevel(model, least) ?? least;
  // Pro models know no minimal thinking; what a model's own map says goes before.
  return word === "minimal" && !model.thinkingLevelMap?.minimal && /pro/i.test(model.id)
    ? "low"
    : word;
}
