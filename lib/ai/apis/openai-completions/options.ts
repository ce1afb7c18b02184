import type {
  ReasoningLevel,
  StreamOptions,
  ThinkingBudgets,
  ThinkingLevel,
  ToolChoice,
} from "../../types.ts";

/** Options of the Chat Completions API beyond those that every api has. */
export interface CompletionsOptions extends StreamOptions {
  toolChoice?: ToolChoice | "required" | { type: "function"; function: { name: string } };
  /** How much to think. Absent: thinking is turned off where it can be. */
  reasoningEffort?: ReasoningLevel;
  /** Tokens per level, for hosts that take a budget. */
  thinkingBudgets?: ThinkingBudgets;
  /** The level that the person chose; written on the message. */
  thinkingLevel?: ThinkingLevel;
}
