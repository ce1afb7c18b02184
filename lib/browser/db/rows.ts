/** The rows of each store. All of them may carry fields that this version does not know; those survive a rewrite. */

import type { AgentMessage } from "@/lib/agent/types";
import type { ThinkingLevel } from "@/lib/ai/types";
import type { RunMessage, RunState } from "@/lib/run/fold";
import type { RunFailure } from "../failure";

export interface ModelRef {
  provider: string;
  id: string;
}

/** Times are ms since the epoch. */
export interface ConversationRow {
  id: string;
  title: string;
  /** The person chose the title: nothing else may change it. */
  renamed?: true;
  createdAt: number;
  /** When the last message was added. */
  updatedAt: number;
  model?: ModelRef;
  thinkingLevel?: ThinkingLevel;
  /** The visible branch is the path from the root to this entry. */
  leafId?: string;
  /** Entries ever added; the next entry's `seq`. */
  entryCount: number;
  /** Everything up to event `afterSeq` of this run is stored. `baseId` is the entry that it answers. */
  activeRun?: { runId: string; afterSeq: number; baseId?: string };
  /** The last run after `entryId` could not be started or followed. */
  failure?: RunFailure & { runId: string; entryId?: string };
}

export interface EntryRow {
  id: string;
  conversationId: string;
  parentId: string | null;
  /** Order of creation in the conversation, from 0. */
  seq: number;
  kind: "message";
  message: AgentMessage;
  runId?: string;
  createdAt: number;
  /** Not in the tree yet: sent into the active run ("steer"), or waits for its end ("followUp"). */
  queued?: "steer" | "followUp";
  /** Still being written by the active run. */
  partial?: true;
  /** Partial only: what the fold keeps beside the message. */
  live?: Omit<RunMessage, "id" | "message" | "complete">;
}

/** What the fold of an active run holds beside its messages, as of the conversation's `activeRun.afterSeq`. */
export interface RunRow {
  id: string;
  conversationId: string;
  createdAt: number;
  live?: Omit<RunState, "messages">;
}

export interface GeneralSettingsRow {
  id: "general";
  theme?: "system" | "light" | "dark";
  systemPrompt?: string;
  tools?: Record<string, "auto" | "ask" | "off">;
  favourites?: ModelRef[];
  lastModel?: ModelRef;
  thinkingLevel?: ThinkingLevel;
}

/** The only place in the browser where a key is stored, and only when the person saved it. */
export interface ProviderSettingsRow {
  id: `provider:${string}`;
  apiKey?: string;
  baseUrl?: string;
}

export type SettingsRow = GeneralSettingsRow | ProviderSettingsRow;

export interface DraftRow {
  conversationId: string;
  text: string;
  updatedAt: number;
}
