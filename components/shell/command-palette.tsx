"use client";

import { useId, useMemo, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { optionKeys } from "@/components/ui/option-keys";
import { useConversations } from "@/lib/browser/stores/conversations";
import { useSettings } from "@/lib/browser/stores/settings";
import { conversationAddress } from "./addresses";
import { navigate } from "./navigate";
import { openModelPicker } from "./open-model-picker";
import { focusComposer } from "./use-shortcuts";

interface Command {
  id: string;
  label: string;
  hint?: string;
  run: () => void;
}

interface CommandPaletteProps {
  open: boolean;
  onClose: () => void;
  onShowShortcuts: () => void;
}

const SHOWN_CONVERSATIONS = 50;

export function CommandPalette({ open, onClose, onShowShortcuts }: CommandPaletteProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Command palette" bare className="palette">
      <PaletteContent onClose={onClose} onShowShortcuts={onShowShortcuts} />
    </Dialog>
  );
}

function PaletteContent({ onClose, onShowShortcuts }: Omit<CommandPaletteProps, "open">) {
  const [search, setSearch] = useState("");
  const [active, setActive] = useState(0);
  const conversations = useConversations((state) => state.list);
  const listId = useId();

  const commands = useMemo(() => {
    const words = search.trim().toLowerCase().split(/\s+/);
    const fits = ({ label }: Command): boolean =>
      words.every((word) => label.toLowerCase().includes(word));
    const found = conversations.map(
      (row): Command => ({
        id: row.id,
        label: row.title,
        hint: "Conversation",
        run: () => navigate(conversationAddress(row.id)),
      }),
    );
    return [...actions(onShowShortcuts), ...found].filter(fits).slice(0, SHOWN_CONVERSATIONS);
  }, [conversations, search, onShowShortcuts]);

  const run = (command: Command | undefined): void => {
    if (!command) return;
    onClose();
    command.run();
  };

  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={commands[active] ? `${listId}-${active}` : undefined}
        aria-label="Search commands and conversations"
        className="w-full border-b border-line bg-transparent px-5 py-4 text-base outline-none"
        placeholder="Search commands and conversations"
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to search in
        autoFocus
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setActive(0);
        }}
        onKeyDown={optionKeys({
          count: commands.length,
          active,
          setActive,
          choose: () => run(commands[active]),
        })}
      />
      <div
        role="listbox"
        id={listId}
        aria-label="Commands"
        className="min-h-0 flex-1 overflow-y-auto p-2"
      >
        {commands.map((command, index) => (
          <div
            key={command.id}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className="option"
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => setActive(index)}
            onClick={() => run(command)}
            onKeyDown={(event) => {
              if (event.key === "Enter") run(command);
            }}
          >
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            {command.hint ? (
              <span className="flex-none text-xs text-ink-3">{command.hint}</span>
            ) : null}
          </div>
        ))}
        {commands.length === 0 ? <p className="p-3 text-sm text-ink-3">Nothing fits.</p> : null}
      </div>
    </>
  );
}

function actions(onShowShortcuts: () => void): Command[] {
  const theme = (value: "system" | "light" | "dark"): void => {
    // It holds for this page even when it cannot be stored.
    useSettings
      .getState()
      .set({ theme: value })
      .catch(() => {});
  };
  return [
    {
      id: "new",
      label: "New chat",
      hint: "Ctrl/⌘ Shift O",
      run: () => {
        navigate("/");
        focusComposer();
      },
    },
    {
      id: "model",
      label: "Choose a model",
      run: openModelPicker,
    },
    { id: "settings", label: "Settings", run: () => navigate("/settings") },
    { id: "light", label: "Light theme", run: () => theme("light") },
    { id: "dark", label: "Dark theme", run: () => theme("dark") },
    { id: "system", label: "Theme as the system", run: () => theme("system") },
    { id: "keys", label: "Keyboard shortcuts", hint: "?", run: onShowShortcuts },
  ];
}
