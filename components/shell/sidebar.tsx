"use client";

import { MessageSquarePlus, Search, Settings, X } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { useConversations } from "@/lib/browser/stores/conversations";
import { byAge } from "./by-age";
import { ConversationLink } from "./conversation-link";
import { Logo } from "./logo";
import { focusComposer } from "./use-shortcuts";

interface SidebarProps {
  currentId: string | undefined;
  /** On narrow windows: whether the drawer is out. */
  open: boolean;
  onClose: () => void;
}

export function Sidebar({ currentId, open, onClose }: SidebarProps) {
  const list = useConversations((state) => state.list);
  const loaded = useConversations((state) => state.loaded);
  const error = useConversations((state) => state.error);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const groups = useMemo(
    () =>
      byAge(
        wanted ? list.filter(({ title }) => title.toLowerCase().includes(wanted)) : list,
        Date.now(),
      ),
    [list, wanted],
  );

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the drawer has a button for it; this is for pointers */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div className="sidebar-scrim" data-open={open} onClick={onClose} />
      <aside
        className="sidebar"
        data-open={open}
        onKeyDown={(event) => {
          if (event.key === "Escape" && open) onClose();
        }}
      >
        <div className="flex h-(--header) flex-none items-center justify-between pr-2 pl-4">
          <a href="/" className="rounded-lg" aria-label="Rill, home">
            <Logo />
          </a>
          <button
            type="button"
            className="icon-button md:hidden"
            aria-label="Close the list"
            onClick={onClose}
          >
            <X aria-hidden size={18} />
          </button>
        </div>
        <div className="space-y-2 px-3 pb-2">
          <NewChatButton onDone={onClose} />
          <div className="relative">
            <Search
              aria-hidden
              size={15}
              className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3"
            />
            <input
              type="search"
              className="field border-transparent bg-sunken pl-9"
              aria-label="Search conversations"
              placeholder="Search"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </div>
        </div>
        <nav aria-label="Conversations" className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
          {error ? <p className="p-2 text-sm text-danger">{error}</p> : null}
          {groups.map(({ label, rows }) => (
            <section key={label} aria-label={label} className="mt-3 first:mt-1">
              <h2 className="px-2.5 pb-1 text-xs font-medium text-ink-3">{label}</h2>
              <ul>
                {rows.map((row) => (
                  <ConversationLink key={row.id} row={row} current={row.id === currentId} />
                ))}
              </ul>
            </section>
          ))}
          {loaded && !error && groups.length === 0 ? (
            <p className="px-2.5 py-3 text-sm text-ink-3">
              {wanted ? "No title has these words." : "Your conversations will be listed here."}
            </p>
          ) : null}
        </nav>
        <div className="flex-none border-t border-line p-3">
          <a href="/settings" className="sidebar-link flex items-center gap-2.5 hover:bg-hover">
            <Settings aria-hidden size={16} className="text-ink-2" />
            Settings
          </a>
        </div>
      </aside>
    </>
  );
}

function NewChatButton({ onDone }: { onDone: () => void }) {
  return (
    <button
      type="button"
      className="button w-full justify-start"
      onClick={() => {
        window.history.pushState(null, "", "/");
        onDone();
        focusComposer();
      }}
    >
      <MessageSquarePlus aria-hidden size={16} />
      New chat
    </button>
  );
}
