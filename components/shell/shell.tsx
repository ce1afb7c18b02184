"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useConversations } from "@/lib/browser/stores/conversations";
import { useDrafts } from "@/lib/browser/stores/drafts";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { ChatView } from "../chat/chat-view";
import { SettingsPanel } from "../settings/settings-panel";
import { ShortcutsList } from "../settings/shortcuts-list";
import { Dialog } from "../ui/dialog";
import { CommandPalette } from "./command-palette";
import { onLinkClick, viewOf } from "./navigate";
import { PageHeader } from "./page-header";
import { useShell } from "./shell-store";
import { Sidebar } from "./sidebar";
import { ThemeSync } from "./theme-sync";
import { useShortcuts } from "./use-shortcuts";

/**
 * What stays while the address changes: sidebar, dialogs and the conversation. A conversation is drawn here and not by its
 * page, so that a new one gets its address without being mounted again.
 */
export function Shell({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const view = viewOf(pathname);
  const drawer = useShell((state) => state.drawer);
  const setDrawer = useShell((state) => state.setDrawer);
  const shortcuts = useShell((state) => state.dialog === "shortcuts");
  const show = useShell((state) => state.show);
  useShortcuts();
  useEffect(() => {
    void useSettings.getState().load();
    void useModels.getState().load();
    void useConversations.getState().load();
    void useDrafts.getState().load();
  }, []);
  // Going somewhere closes the drawer that led there.
  useEffect(() => setDrawer(false), [setDrawer, pathname]);
  useEffect(() => {
    if (!drawer) return;
    const close = (event: KeyboardEvent): void => {
      if (event.key === "Escape") setDrawer(false);
    };
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, [drawer, setDrawer]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the links inside, which do the same by keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div className="shell" onClick={onLinkClick}>
      <ThemeSync />
      <Sidebar />
      {drawer ? (
        <button
          type="button"
          className="drawer-scrim"
          aria-hidden
          tabIndex={-1}
          onClick={() => setDrawer(false)}
        />
      ) : null}
      <div className="page" inert={drawer}>
        {view.page === "chat" ? (
          <ChatView addressId={view.id} />
        ) : (
          <>
            <PageHeader title="Settings" />
            <main className="settings">
              <div className="settings-content">
                <SettingsPanel />
              </div>
            </main>
          </>
        )}
      </div>
      {children}
      <CommandPalette />
      <Dialog
        open={shortcuts}
        onClose={() => {
          if (useShell.getState().dialog === "shortcuts") show(undefined);
        }}
        title="Keyboard shortcuts"
        className="max-w-lg"
      >
        <div className="overflow-y-auto px-5 pb-5">
          <ShortcutsList />
        </div>
      </Dialog>
    </div>
  );
}
