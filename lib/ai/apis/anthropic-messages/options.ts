import type { StreamOptions, ThinkingLevel } from "../../types.ts";

export type AnthropicThinking =
  | { type: "disabled" }
  /** The model decides how long to think; `effort` is the vendor's word. */
  | { type: "adaptive"; effort?: string }
  /** Tokens; lowered so that it stays below the cap of the whole output. */
  | { type: "enabled"; budgetTokens: number };

export type AnthropicToolChoice =
  | "auto"
  | "none"
  | "any"
  | { type: "tool"; name: string }
  | { type: "auto" | "none" | "any" };

/** What `stream` of this api takes beside the common options. */
export interface AnthropicOptions extends StreamOptions {
  /** Absent: the field is not sent and the vendor's default holds. */
  thinking?: AnthropicThinking;
  toolChoice?: AnthropicToolChoice;
  /** Whether another model may take over where this one refuses. Default: when the model names some. */
  fallbacks?: boolean;
  /** Our name of the level, noted on the message. */
  thinkingLevel?: ThinkingLevel;
}
