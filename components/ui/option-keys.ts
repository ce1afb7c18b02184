import type { KeyboardEvent } from "react";

interface OptionList {
  count: number;
  active: number;
  setActive: (index: number) => void;
  choose: () => void;
  /** How far Page Up and Page Down go. */
  page?: number;
}

/** Keys of a search field over a list of options: arrows move, Enter chooses. */
export function optionKeys({ count, active, setActive, choose, page = 8 }: OptionList) {
  return (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || count === 0) return;
    const next = {
      ArrowDown: (active + 1) % count,
      ArrowUp: (active - 1 + count) % count,
      PageDown: Math.min(count - 1, active + page),
      PageUp: Math.max(0, active - page),
    }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose();
    }
  };
}
