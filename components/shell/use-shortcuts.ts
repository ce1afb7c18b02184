import { useEffect } from "react";
import { isComposing } from "../ui/composing";
import { newChat } from "./navigate";
import { useShell } from "./shell-store";

/** Keys that work everywhere on the page. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isComposing(event) || event.defaultPrevented) return;
      const command = event.ctrlKey || event.metaKey;
      const key = event.key.toLowerCase();
      const { dialog, show } = useShell.getState();
      if (command && !event.shiftKey && !event.altKey && key === "k") {
        event.preventDefault();
        show(dialog === "palette" ? undefined : "palette");
      } else if (command && event.shiftKey && key === "o") {
        event.preventDefault();
        show(undefined);
        newChat();
      } else if (key === "?" && !command && !dialog && !isField(event.target)) {
        event.preventDefault();
        show("shortcuts");
      }
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"))
  );
}
