import { create } from "zustand";
import type { ImageContent, ThinkingLevel } from "@/lib/ai/types";
import type { RunState } from "@/lib/run/fold";
import type { StorageError } from "../db/errors";
import type { EntryRow, ModelRef } from "../db/rows";
import type { RunFailure } from "../failure";

export type Connection = "connecting" | "open" | "reconnecting" | "lost";

/** The run that the conversation waits for, or the one that could not be started (`error`). */
export interface LiveRun {
  runId: string;
  connection: Connection;
  state: RunState;
  /** Set when the run could not be started or followed. The composer is free again then. */
  error?: RunFailure;
}

/** The open conversation. */
export interface ConversationStore {
  /** Undefined until the first message of a new conversation is stored. */
  id?: string;
  title?: string;
  status: "empty" | "loading" | "ready" | "missing" | "failed";
  /** Why the status is "failed"; a sentence for people. */
  error?: string;
  /** The visible branch, root to leaf, finished messages only. Rows keep their identity while they do not change. */
  entries: EntryRow[];
  run?: LiveRun;
  /** True from send() until the run's end: Stop is shown, Send is not. */
  busy: boolean;
  /** What has arrived is shown but could not be stored; retried by itself. */
  unsaved?: StorageError;
  /** What the next message is sent to; undefined until the models are known. */
  model?: ModelRef;
  thinkingLevel: ThinkingLevel;
  /** Opens a stored conversation and follows its active run; without an id a new, unsaved one. */
  open(id?: string): Promise<void>;
  /**
   * Stores the message and starts a run; resolves with the conversation's id once both are on their way.
   * Rejects with a StorageError or a plain Error when nothing was stored: the composer must keep its text then.
   * Whatever happens to the run afterwards is told in `run.error` or in the answer.
   */
  send(input: { text: string; images?: ImageContent[] }): Promise<string>;
  /** Ends the run and keeps what has arrived. Resolves when the conversation is free. */
  stop(): Promise<void>;
  /** A new run from the last user message; the answer that failed stays in the tree as a sibling. */
  retry(): Promise<void>;
  setModel(model: ModelRef): Promise<void>;
  setThinkingLevel(level: ThinkingLevel): Promise<void>;
}

export const useConversation = create<ConversationStore>()(() => {
  throw new Error("not written yet");
});
