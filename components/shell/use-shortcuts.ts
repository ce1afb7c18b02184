"use client";

import { useEffect } from "react";
import { navigate } from "./navigate";

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The keys that work everywhere. */
export function useShortcuts(show: (overlay: "palette" | "shortcuts") => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const command = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      if (command && !event.shiftKey && !event.altKey && key === "k") {
        event.preventDefault();
        show("palette");
      } else if (command && event.shiftKey && key === "o") {
        event.preventDefault();
        navigate("/");
        focusComposer();
      } else if (event.key === "?" && !command && !inField(event.target)) {
        event.preventDefault();
        show("shortcuts");
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [show]);
}

/** Puts the cursor into the message field once it is there. */
export function focusComposer(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLTextAreaElement>("textarea[data-composer]")?.focus(),
  );
}
