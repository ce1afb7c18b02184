import type { SimpleStreamOptions, StreamOptions, ThinkingLevel } from "../../types.ts";

/** Options of the Responses API beyond those that every api has. */
export interface OpenAIResponsesOptions extends StreamOptions {
  /** The level that the person chose; written on the message. */
  thinkingLevel?: ThinkingLevel;
  /** The vendor's own word for how much to think. Absent or "off": thinking is turned off where it can be. */
  reasoningEffort?: string;
  /** Default: auto. null: no summary is asked for. */
  reasoningSummary?: "auto" | "concise" | "detailed" | null;
  serviceTier?: string;
  toolChoice?: string | Record<string, unknown>;
  /** Submit only, and fetch the answer later. */
  deferred?: SimpleStreamOptions["deferred"];
}
