"use client";

import type { ReactNode } from "react";
import { Dialog } from "./dialog";

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  confirm: string;
  children: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be taken back. The safe answer has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, confirm, children, onConfirm, onClose } = props;
  return (
    <Dialog open={open} onClose={onClose} title={title} className="max-w-md">
      <div className="px-5 pb-2 text-[0.9375rem] text-ink-2">{children}</div>
      <footer className="flex justify-end gap-2 p-4">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button button-danger"
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {confirm}
        </button>
      </footer>
    </Dialog>
  );
}
