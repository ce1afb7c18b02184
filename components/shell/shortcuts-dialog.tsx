"use client";

import { ShortcutsList } from "@/components/settings/shortcuts-list";
import { Dialog } from "@/components/ui/dialog";

export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" className="max-w-lg">
      <div className="px-5 pb-4">
        <ShortcutsList />
      </div>
    </Dialog>
  );
}
