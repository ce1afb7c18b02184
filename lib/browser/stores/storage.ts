import { create } from "zustand";
import { onStorageNotice } from "../db/open";

/** What people must know about the browser's storage as a whole: a banner shows it while it is there. */
export interface StorageStore {
  notice?: { kind: "blocked" | "outdated" | "deleted"; message: string; nextStep: string };
}

export const useStorage = create<StorageStore>()((set) => {
  onStorageNotice((notice) => set({ notice: notice.kind === "ready" ? undefined : notice }));
  return {};
});
