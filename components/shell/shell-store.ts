import { create } from "zustand";

export type ShellDialog = "palette" | "shortcuts" | "model";

/** What of the shell is open. It lives as long as the page. */
interface ShellStore {
  dialog?: ShellDialog;
  /** The sidebar over the page, on a narrow screen. */
  drawer: boolean;
  show: (dialog: ShellDialog | undefined) => void;
  setDrawer: (open: boolean) => void;
}

export const useShell = create<ShellStore>()((set) => ({
  drawer: false,
  show: (dialog) => set({ dialog }),
  setDrawer: (drawer) => set({ drawer }),
}));
