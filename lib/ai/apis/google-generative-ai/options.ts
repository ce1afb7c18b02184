import type { StreamOptions, ThinkingLevel } from "../../types.ts";

export interface GoogleThinking {
  includeThoughts?: boolean;
  /** The vendor's word. */
  thinkingLevel?: string;
  /** Tokens; 0: none; -1: as many as the model likes. */
  thinkingBudget?: number;
}

export type GoogleToolChoice = "auto" | "none" | "any";

/** What `stream` of this api takes beside the common options. */
export interface GoogleOptions extends StreamOptions {
  /** Absent: the field is not sent and the vendor's default holds. */
  thinking?: GoogleThinking;
  toolChoice?: GoogleToolChoice;
  /** Our name of the level, noted on the message. */
  thinkingLevel?: ThinkingLevel;
}
