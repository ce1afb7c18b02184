import type { ErrorClass } from "@/lib/ai/types";

/**
 * Why a run did not start, or why this page cannot follow it. Plain JSON, and it never holds a key: it is stored with
 * the conversation and drawn there. `class` picks the advice (advice.ts).
 */
export interface RunFailure {
  class: ErrorClass;
  /** One sentence for people. */
  message: string;
  /** HTTP status of Rill's own server, when it answered. */
  status?: number;
  /** `error.code` of the answer. */
  code?: string;
  /** The field of the request that was refused. */
  field?: string;
  retryAfterMs?: number;
}
