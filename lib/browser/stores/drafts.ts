import { create } from "zustand";

/** The draft of a conversation that does not exist yet. */
export const NEW_CONVERSATION_DRAFT = "new";

export interface DraftsStore {
  /** Text by conversation id. */
  drafts: Record<string, string>;
  loaded: boolean;
  load(): Promise<void>;
  /** Shown at once, stored a moment later and when the page is left. Empty text removes the draft. */
  setDraft(conversationId: string | undefined, text: string): void;
}

export const useDrafts = create<DraftsStore>()(() => {
  throw new Error("not written yet");
});
