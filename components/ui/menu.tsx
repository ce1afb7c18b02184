"use client";

import { Check } from "lucide-react";
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { menuPlace } from "./menu-place";

interface MenuProps {
  /** Accessible name of the button. */
  label: string;
  /** Accessible name of the menu; the button's if absent. */
  menuLabel?: string;
  /** What the button shows. */
  trigger: ReactNode;
  className?: string;
  disabled?: boolean;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a menu in the browser's top layer, so that no box that scrolls can cut it off. */
export function Menu(props: MenuProps) {
  const { label, menuLabel, trigger, className = "icon-button", disabled, children } = props;
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        disabled={disabled}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {trigger}
      </button>
      {open ? (
        <MenuPanel
          id={id}
          label={menuLabel ?? label}
          anchor={button}
          onClose={close}
          onLeave={() => setOpen(false)}
        >
          {children(close)}
        </MenuPanel>
      ) : null}
    </>
  );
}

interface MenuPanelProps {
  id: string;
  label: string;
  anchor: React.RefObject<HTMLButtonElement | null>;
  /** Closed by keyboard or choice: the focus goes back to the button. */
  onClose: () => void;
  /** Closed by going elsewhere. */
  onLeave: () => void;
  children: ReactNode;
}

function MenuPanel({ id, label, anchor, onClose, onLeave, children }: MenuPanelProps) {
  const panel = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const menu = panel.current;
    if (!menu || !anchor.current) return;
    menu.showPopover?.();
    const place = menuPlace(anchor.current.getBoundingClientRect(), menu.getBoundingClientRect(), {
      width: document.documentElement.clientWidth,
      height: window.innerHeight,
    });
    menu.style.left = `${place.left}px`;
    menu.style.top = `${place.top}px`;
    const items = menuItems(menu);
    const chosen = items.find((item) => item.getAttribute("aria-checked") === "true");
    const radio = chosen?.getAttribute("role") === "menuitemradio" ? chosen : undefined;
    (radio ?? items[0])?.focus({ preventScroll: true });
  }, [anchor]);

  useEffect(() => {
    const leave = (event: Event): void => {
      const target = event.target as Node;
      if (!panel.current?.contains(target) && !anchor.current?.contains(target)) onLeave();
    };
    document.addEventListener("pointerdown", leave, true);
    window.addEventListener("resize", onLeave);
    return () => {
      document.removeEventListener("pointerdown", leave, true);
      window.removeEventListener("resize", onLeave);
    };
  }, [anchor, onLeave]);

  const onKeyDown = (event: React.KeyboardEvent): void => {
    const items = menuItems(panel.current);
    const index = items.indexOf(document.activeElement as HTMLElement);
    const next = nextItem(event.key, index, items);
    if (next) {
      event.preventDefault();
      next.focus();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    } else if (event.key === "Tab") {
      onLeave();
    }
  };

  return (
    <div
      ref={panel}
      id={id}
      role="menu"
      popover="manual"
      className="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}

function menuItems(panel: HTMLElement | null): HTMLElement[] {
  return [...(panel?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)') ?? [])];
}

function nextItem(key: string, index: number, items: HTMLElement[]): HTMLElement | undefined {
  const count = items.length;
  switch (key) {
    case "ArrowDown":
      return items[(index + 1) % count];
    case "ArrowUp":
      return items[(index - 1 + count) % count];
    case "Home":
      return items[0];
    case "End":
      return items[count - 1];
    default: {
      if (key.length !== 1 || key === " ") return undefined;
      const later = [...items.slice(index + 1), ...items.slice(0, index + 1)];
      return later.find((item) =>
        item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()),
      );
    }
  }
}

interface MenuItemProps {
  role?: "menuitem" | "menuitemradio" | "menuitemcheckbox";
  checked?: boolean;
  danger?: boolean;
  icon?: ReactNode;
  onSelect: () => void;
  children: ReactNode;
  /** A second, quieter line. */
  hint?: string;
}

export function MenuItem(props: MenuItemProps) {
  const { role = "menuitem", checked, danger, icon, onSelect, children, hint } = props;
  return (
    <button
      type="button"
      role={role}
      {...(role === "menuitem" ? {} : { "aria-checked": checked === true })}
      className={danger ? "menu-item text-danger" : "menu-item"}
      tabIndex={-1}
      onClick={onSelect}
    >
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block">{children}</span>
        {hint ? <span className="mt-px block text-xs leading-snug text-ink-3">{hint}</span> : null}
      </span>
      {role === "menuitem" ? null : (
        <Check
          aria-hidden
          size={16}
          className={checked ? "flex-none text-accent" : "invisible flex-none"}
        />
      )}
    </button>
  );
}
