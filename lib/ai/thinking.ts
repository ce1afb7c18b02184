import type { Model, ReasoningLevel, ThinkingBudgets, ThinkingLevel } from "./types.ts";

export const thinkingLevels: readonly ThinkingLevel[] = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

/** The levels that a model takes, in order (P-170, P-171). A model that always thinks has no "off". */
export function supportedThinkingLevels(
  model: Pick<Model, "reasoning" | "thinkingLevelMap">,
): ThinkingLevel[] {
  if (!model.reasoning) return ["off"];
  return thinkingLevels.filter((level) => {
    const mapped = model.thinkingLevelMap?.[level];
    if (mapped === null) return false;
    return level === "xhigh" || level === "max" ? mapped !== undefined : true;
  });
}

/** The level itself if supported, else the next one up, else the next one down (P-172). */
export function clampThinkingLevel(
  model: Pick<Model, "reasoning" | "thinkingLevelMap">,
  level: ThinkingLevel,
): ThinkingLevel {
  const supported = supportedThinkingLevels(model);
  if (supported.includes(level)) return level;
  const index = thinkingLevels.indexOf(level);
  const up = thinkingLevels.slice(index + 1).find((candidate) => supported.includes(candidate));
  const down = thinkingLevels
    .slice(0, index)
    .reverse()
    .find((candidate) => supported.includes(candidate));
  return up ?? down ?? supported[0] ?? "off";
}

/** The vendor's own word for a level: what the model maps it to, or our name. undefined: not supported. */
export function providerThinkingLevel(model: Model, level: ThinkingLevel): string | undefined {
  const mapped = model.thinkingLevelMap?.[level];
  return mapped === null ? undefined : (mapped ?? level);
}

const defaultBudgets: Record<ReasoningLevel, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16384,
  xhigh: 16384,
  max: 16384,
};

/** Tokens that a level may think for, on vendors that take a budget (P-173). */
export function thinkingBudget(level: ReasoningLevel, budgets?: ThinkingBudgets): number {
  return budgets?.[level] ?? defaultBudgets[level];
}
