"use client";

import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { classNames } from "./class-names";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  /** Its accessible name, and its heading unless `bare`. */
  title: string;
  /** No heading of its own: the content begins with a search field. */
  bare?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * A modal dialog on the browser's own element: it holds the focus, closes by Escape and gives the focus back. The element
 * stays in the page while closed, since the browser remembers what had the focus by it.
 */
export function Dialog({ open, onClose, title, bare, className, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (open && !dialog?.open) dialog?.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={ref}
      aria-label={title}
      className={classNames("dialog-panel", className)}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {open ? (
        <>
          {bare ? null : (
            <header className="flex items-center justify-between gap-4 py-3 pr-3 pl-5">
              <h2 className="text-base font-semibold tracking-tight">{title}</h2>
              <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
                <X aria-hidden size={18} />
              </button>
            </header>
          )}
          {children}
        </>
      ) : null}
    </dialog>
  );
}
