"use client";

import { PanelLeft, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { newChat } from "./navigate";
import { useShell } from "./shell-store";
import { isNarrow, toggleSidebar } from "./sidebar-state";

/** The line above a page. Its buttons are there only while the sidebar is not. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  const setDrawer = useShell((state) => state.setDrawer);
  return (
    <header className="page-header">
      <button
        type="button"
        className="icon-button without-sidebar"
        aria-label="Open sidebar"
        title="Open sidebar"
        onClick={() => (isNarrow() ? setDrawer(true) : toggleSidebar())}
      >
        <PanelLeft aria-hidden size={18} />
      </button>
      <h1 dir="auto" className="page-title">
        {title}
      </h1>
      {children}
      <button
        type="button"
        className="icon-button without-sidebar"
        aria-label="New chat"
        title="New chat"
        onClick={newChat}
      >
        <SquarePen aria-hidden size={18} />
      </button>
    </header>
  );
}
