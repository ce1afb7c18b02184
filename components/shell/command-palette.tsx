"use client";

import { Contrast, Cpu, Keyboard, MessageSquare, Search, Settings, SquarePen } from "lucide-react";
import { usePathname } from "next/navigation";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { useConversations } from "@/lib/browser/stores/conversations";
import { useSettings } from "@/lib/browser/stores/settings";
import { isComposing } from "../ui/composing";
import { Dialog } from "../ui/dialog";
import { conversationAddress, isChat, SETTINGS } from "./addresses";
import { navigate, newChat } from "./navigate";
import { useShell } from "./shell-store";

interface Command {
  id: string;
  label: string;
  icon: ReactNode;
  hint?: string;
  run: () => void;
}

const MOST_CONVERSATIONS = 50;

export function CommandPalette() {
  const open = useShell((state) => state.dialog === "palette");
  const show = useShell((state) => state.show);
  return (
    <Dialog
      open={open}
      onClose={() => {
        // Another dialog may have taken its place.
        if (useShell.getState().dialog === "palette") show(undefined);
      }}
      title="Command palette"
      bare
      className="palette"
    >
      <Commands />
    </Dialog>
  );
}

function Commands() {
  const show = useShell((state) => state.show);
  const all = useCommands();
  const [search, setSearch] = useState("");
  const [index, setIndex] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const wanted = search.trim().toLocaleLowerCase();
  const shown = useMemo(() => {
    const words = wanted.split(/\s+/).filter(Boolean);
    return all.filter(({ label }) => {
      const text = label.toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    });
  }, [all, wanted]);
  const active = Math.min(index, shown.length - 1);

  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);

  function run(command: Command | undefined): void {
    if (!command) return;
    show(undefined);
    command.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setIndex((active + step + shown.length) % Math.max(1, shown.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(shown[active]);
    }
  }

  return (
    <>
      <div className="dialog-search">
        <Search aria-hidden size={18} className="flex-none text-ink-3" />
        <input
          type="text"
          role="combobox"
          aria-label="Command"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
          placeholder="Go to a conversation, or do something"
          // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setIndex(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Commands"
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        className="palette-list"
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {shown.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={command.id}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            className="palette-row"
            data-active={place === active || undefined}
            onClick={() => run(command)}
          >
            <span className="flex-none text-ink-3">{command.icon}</span>
            <span dir="auto" className="truncate">
              {command.label}
            </span>
            {command.hint ? <kbd className="kbd ml-auto flex-none">{command.hint}</kbd> : null}
          </div>
        ))}
      </div>
      {shown.length === 0 ? (
        <p className="px-5 pb-6 text-center text-sm text-ink-3">Nothing is called that.</p>
      ) : null}
    </>
  );
}

function useCommands(): Command[] {
  const inChat = isChat(usePathname());
  const show = useShell((state) => state.show);
  const theme = useSettings((state) => state.theme);
  const set = useSettings((state) => state.set);
  const conversations = useConversations((state) => state.list);
  return useMemo(() => {
    const size = 17;
    const commands: Command[] = [
      {
        id: "new",
        label: "New chat",
        icon: <SquarePen aria-hidden size={size} />,
        hint: "Ctrl Shift O",
        run: newChat,
      },
    ];
    if (inChat) {
      commands.push({
        id: "model",
        label: "Choose a model",
        icon: <Cpu aria-hidden size={size} />,
        run: () => show("model"),
      });
    }
    for (const [value, label] of [
      ["light", "Light theme"],
      ["dark", "Dark theme"],
      ["system", "Theme of the system"],
    ] as const) {
      if (value === theme) continue;
      commands.push({
        id: value,
        label,
        icon: <Contrast aria-hidden size={size} />,
        run: () => void set({ theme: value }).catch(() => undefined),
      });
    }
    commands.push(
      {
        id: "settings",
        label: "Settings",
        icon: <Settings aria-hidden size={size} />,
        run: () => navigate(SETTINGS),
      },
      {
        id: "shortcuts",
        label: "Keyboard shortcuts",
        icon: <Keyboard aria-hidden size={size} />,
        hint: "?",
        run: () => show("shortcuts"),
      },
    );
    for (const { id, title } of conversations.slice(0, MOST_CONVERSATIONS)) {
      commands.push({
        id: `conversation-${id}`,
        label: title || "Untitled",
        icon: <MessageSquare aria-hidden size={size} />,
        run: () => navigate(conversationAddress(id)),
      });
    }
    return commands;
  }, [inChat, show, theme, set, conversations]);
}
