import { create, type StateCreator } from "zustand";
import { onChange } from "../changes";
import { readDrafts, storeDrafts } from "../db/drafts";
import { browserPage, type Page } from "../page";
import { dropSpareDrafts, keepSpareDrafts, readSpareDrafts } from "../spare-drafts";

/** The draft of a conversation that does not exist yet. */
export const NEW_CONVERSATION_DRAFT = "new";

const STORE_AFTER_MS = 400;

export interface DraftsStore {
  /** Text by conversation id. */
  drafts: Record<string, string>;
  loaded: boolean;
  /** Reads the drafts; what was typed before that stays. Never rejects. */
  load(): Promise<void>;
  /** Shown at once, stored a moment later and when the page is left. Empty text removes the draft. */
  setDraft(conversationId: string | undefined, text: string): void;
}

export function draftsStore(page: Page): StateCreator<DraftsStore> {
  return (set, get) => {
    let changed: Record<string, string> = {};
    /** Drafts that were emptied on this page: what was read before that must not bring them back. */
    const emptied = new Set<string>();
    let scheduled = false;
    let watching = false;

    async function store(): Promise<void> {
      scheduled = false;
      const storing = changed;
      if (Object.keys(storing).length === 0) return;
      changed = {};
      try {
        await storeDrafts(storing, page.now());
        dropSpareDrafts(storing);
      } catch {
        // The text is still on screen; it is stored with the next change.
        changed = { ...storing, ...changed };
      }
    }

    function storeSoon(): void {
      if (!watching) {
        watching = true;
        page.onHidden(() => {
          if (Object.keys(changed).length > 0) keepSpareDrafts(changed);
          void store();
        });
        onChange((change) => {
          if (change.kind !== "removed") return;
          const { [change.id]: _gone, ...rest } = get().drafts;
          set({ drafts: rest });
        });
      }
      if (scheduled) return;
      scheduled = true;
      page.after(STORE_AFTER_MS, () => void store());
    }

    return {
      drafts: {},
      loaded: false,
      async load() {
        const stored = await readDrafts().catch(() => ({}));
        const spare = readSpareDrafts();
        const drafts: Record<string, string> = { ...stored, ...spare, ...get().drafts };
        for (const [id, text] of Object.entries(drafts)) {
          if (text === "" || emptied.has(id)) delete drafts[id];
        }
        set({ drafts, loaded: true });
        if (Object.keys(spare).length > 0) {
          changed = { ...spare, ...changed };
          storeSoon();
        }
      },
      setDraft(conversationId, text) {
        const id = conversationId ?? NEW_CONVERSATION_DRAFT;
        const { [id]: _before, ...others } = get().drafts;
        set({ drafts: text === "" ? others : { ...others, [id]: text } });
        changed[id] = text;
        if (text === "") emptied.add(id);
        else emptied.delete(id);
        storeSoon();
      },
    };
  };
}

export const useDrafts = create<DraftsStore>()(draftsStore(browserPage));
