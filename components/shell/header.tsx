"use client";

import { PanelLeft } from "lucide-react";
import { ModelPicker } from "@/components/model-picker/model-picker";
import type { View } from "./navigate";
import { UsageStatus } from "./usage-status";

interface HeaderProps {
  view: View;
  onOpenSidebar: () => void;
}

export function Header({ view, onOpenSidebar }: HeaderProps) {
  return (
    <header className="flex h-(--header) flex-none items-center gap-1 px-2 sm:px-3">
      <button
        type="button"
        className="icon-button md:hidden"
        aria-label="Open the list of conversations"
        onClick={onOpenSidebar}
      >
        <PanelLeft aria-hidden size={18} />
      </button>
      {view.page === "chat" ? (
        <>
          <ModelPicker />
          <span className="flex-1" />
          <UsageStatus />
        </>
      ) : null}
    </header>
  );
}
