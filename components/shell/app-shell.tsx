"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { SettingsPanel } from "@/components/settings/settings-panel";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useConversations } from "@/lib/browser/stores/conversations";
import { useDrafts } from "@/lib/browser/stores/drafts";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { ChatView } from "./chat-view";
import { CommandPalette } from "./command-palette";
import { Header } from "./header";
import { onLinkClick, viewOf } from "./navigate";
import { ShortcutsDialog } from "./shortcuts-dialog";
import { Sidebar } from "./sidebar";
import { useShortcuts } from "./use-shortcuts";
import { useTheme } from "./use-theme";

/** The whole app around every address: list, header, and what the address names. */
export function AppShell({ children }: { children: ReactNode }) {
  const view = viewOf(usePathname());
  const id = view.page === "chat" ? view.id : undefined;
  const [sidebarOpen, setSidebarOpen] = useState(false);
  const [overlay, setOverlay] = useState<"palette" | "shortcuts">();

  useTheme();
  useShortcuts(setOverlay);
  useEffect(() => {
    void useSettings.getState().load();
    void useModels.getState().load();
    void useConversations.getState().load();
    void useDrafts.getState().load();
  }, []);

  useEffect(() => {
    if (view.page === "chat") void useConversation.getState().open(id);
  }, [view.page, id]);
  useEffect(() => {
    // Going somewhere closes the drawer that led there.
    if (id !== undefined || view.page) setSidebarOpen(false);
  }, [id, view.page]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the links inside, which do the same by keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div className="shell" onClick={onLinkClick}>
      <Sidebar currentId={id} open={sidebarOpen} onClose={() => setSidebarOpen(false)} />
      <div className="shell-main">
        <Header view={view} onOpenSidebar={() => setSidebarOpen(true)} />
        {view.page === "settings" ? (
          <main className="min-h-0 flex-1 overflow-y-auto">
            <div className="mx-auto max-w-3xl px-4 py-6 sm:px-6">
              <h1 className="mb-4 text-2xl font-semibold tracking-tight">Settings</h1>
              <SettingsPanel />
            </div>
          </main>
        ) : (
          <ChatView />
        )}
      </div>
      <CommandPalette
        open={overlay === "palette"}
        onClose={() => setOverlay(undefined)}
        onShowShortcuts={() => setOverlay("shortcuts")}
      />
      <ShortcutsDialog open={overlay === "shortcuts"} onClose={() => setOverlay(undefined)} />
      {children}
    </div>
  );
}
