import { create, type StateCreator } from "zustand";
import { announceChange, onChange } from "../changes";
import {
  getConversation,
  listConversations,
  removeConversation,
  updateConversation,
} from "../db/conversations";
import { toStorageError } from "../db/errors";
import type { ConversationRow } from "../db/rows";
import { browserServices, type Services } from "../services";

export interface ConversationsStore {
  /** Newest first. */
  list: ConversationRow[];
  loaded: boolean;
  /** The list could not be read; a sentence for people. */
  error?: string;
  /** Reads the list, and keeps it in step with this tab and the others. May be called again. */
  load(): Promise<void>;
  /** @throws {StorageError} */
  rename(id: string, title: string): Promise<void>;
  /** Stops its active run and deletes the conversation with its entries and draft. @throws {StorageError} */
  remove(id: string): Promise<void>;
}

export function conversationsStore({
  sessions,
  page,
}: Pick<Services, "sessions" | "page">): StateCreator<ConversationsStore> {
  return (set, get) => {
    let watching = false;
    let reading: Promise<void> | undefined;

    function watch(): void {
      if (watching) return;
      watching = true;
      onChange((change) => {
        if (change.kind === "removed") drop(change.id);
        else if (change.kind === "conversation") void refresh(change.id);
      });
      page.onShown(() => void get().load());
    }

    async function read(): Promise<void> {
      try {
        const list = await listConversations();
        set({ list, loaded: true, error: undefined });
      } catch (error) {
        const { message, nextStep } = toStorageError(error);
        set({ loaded: true, error: `${message} ${nextStep}` });
      }
    }

    async function refresh(id: string): Promise<void> {
      const row = await getConversation(id).catch(() => undefined);
      if (row) set({ list: withRow(get().list, row) });
    }

    function drop(id: string): void {
      set({ list: get().list.filter((row) => row.id !== id) });
    }

    return {
      list: [],
      loaded: false,
      load() {
        watch();
        reading ??= read().finally(() => {
          reading = undefined;
        });
        return reading;
      },
      async rename(id, title) {
        const text = title.replace(/\s+/gu, " ").trim();
        if (text === "") return;
        await updateConversation(id, { title: text, renamed: true });
        announceChange({ kind: "conversation", id });
      },
      async remove(id) {
        await sessions.get(id)?.stop();
        await removeConversation(id);
        announceChange({ kind: "removed", id });
      },
    };
  };
}

/** The list with one row put in its place: newest first. */
function withRow(list: ConversationRow[], row: ConversationRow): ConversationRow[] {
  const others = list.filter((other) => other.id !== row.id);
  const index = others.findIndex((other) => other.updatedAt <= row.updatedAt);
  return index === -1 ? [...others, row] : others.toSpliced(index, 0, row);
}

export const useConversations = create<ConversationsStore>()(conversationsStore(browserServices));
