"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { AboutTab } from "./about-tab";
import { AppearanceTab } from "./appearance-tab";
import { DataTab } from "./data-tab";
import { PromptTab } from "./prompt-tab";
import { ProvidersTab } from "./providers-tab";
import { ShortcutsList } from "./shortcuts-list";
import { ToolsTab } from "./tools-tab";

const tabs: { id: string; label: string; content: () => ReactNode }[] = [
  { id: "providers", label: "Providers", content: () => <ProvidersTab /> },
  { id: "prompt", label: "Prompt", content: () => <PromptTab /> },
  { id: "tools", label: "Tools", content: () => <ToolsTab /> },
  { id: "appearance", label: "Appearance", content: () => <AppearanceTab /> },
  { id: "data", label: "Data", content: () => <DataTab /> },
  { id: "shortcuts", label: "Shortcuts", content: () => <ShortcutsList /> },
  { id: "about", label: "About", content: () => <AboutTab /> },
];

/** All settings, a tab each. The address's hash names the open tab. */
export function SettingsPanel() {
  const [open, setOpen] = useState("providers");
  const loaded = useSettings((state) => state.loaded);
  const error = useSettings((state) => state.error);
  const loadSettings = useSettings((state) => state.load);
  const loadModels = useModels((state) => state.load);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    void loadSettings();
    void loadModels();
    const named = window.location.hash.slice(1);
    if (tabs.some((tab) => tab.id === named)) setOpen(named);
  }, [loadSettings, loadModels]);

  function choose(tab: string): void {
    setOpen(tab);
    window.history.replaceState(window.history.state, "", `#${tab}`);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const index = tabs.findIndex((tab) => tab.id === open);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[
      event.key
    ];
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (!tab) return;
    event.preventDefault();
    choose(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  }

  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label="Settings"
        className="-mx-1 mb-6 flex gap-1 overflow-x-auto border-b border-line px-1 pb-2"
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={open === tab.id}
            aria-controls={`${id}-panel`}
            tabIndex={open === tab.id ? 0 : -1}
            className="chip-button flex-none aria-selected:bg-hover aria-selected:text-ink"
            onClick={() => choose(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {error ? (
        <p role="alert" className="mb-4 rounded-xl bg-danger-soft p-3 text-sm text-danger">
          {error}
        </p>
      ) : null}
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open}`}>
        {loaded ? tabs.find((tab) => tab.id === open)?.content() : null}
      </div>
    </div>
  );
}
