import { create } from "zustand";
import type { ConversationRow } from "../db/rows";

export interface ConversationsStore {
  /** Newest first. */
  list: ConversationRow[];
  loaded: boolean;
  /** The list could not be read; a sentence for people. */
  error?: string;
  /** Reads the list, and keeps it in step with this tab and the others. May be called again. */
  load(): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Deletes the conversation with its entries, draft and active run. */
  remove(id: string): Promise<void>;
}

export const useConversations = create<ConversationsStore>()(() => {
  throw new Error("not written yet");
});
