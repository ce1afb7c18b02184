"use client";

import { Keyboard, PanelLeft, Search, Settings, SquarePen } from "lucide-react";
import { usePathname } from "next/navigation";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import type { ConversationRow } from "@/lib/browser/db/rows";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useConversations } from "@/lib/browser/stores/conversations";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { RillMark } from "../ui/rill-mark";
import { isChat, NEW_CHAT, SETTINGS } from "./addresses";
import { ConversationList } from "./conversation-list";
import { newChat } from "./navigate";
import { useShell } from "./shell-store";
import { isNarrow, toggleSidebar } from "./sidebar-state";

/** Conversations and the way to everything else. On a narrow screen it lies over the page. */
export function Sidebar() {
  const pathname = usePathname();
  const drawer = useShell((state) => state.drawer);
  const setDrawer = useShell((state) => state.setDrawer);
  const show = useShell((state) => state.show);
  const startChat = (): void => {
    setDrawer(false);
    newChat();
  };
  return (
    <aside className="sidebar" data-open={drawer || undefined}>
      <div className="sidebar-head">
        <a href={NEW_CHAT} className="brand">
          <RillMark className="text-accent" />
          Rill
        </a>
        <button
          type="button"
          className="icon-button"
          aria-label="Close sidebar"
          title="Close sidebar"
          onClick={() => (isNarrow() ? setDrawer(false) : toggleSidebar())}
        >
          <PanelLeft aria-hidden size={18} />
        </button>
      </div>
      <button type="button" className="new-chat" onClick={startChat}>
        <SquarePen aria-hidden size={16} />
        New chat
      </button>
      <Conversations inChat={isChat(pathname)} />
      <div className="sidebar-foot">
        <a
          href={SETTINGS}
          className="sidebar-link"
          aria-current={pathname === SETTINGS ? "page" : undefined}
        >
          <Settings aria-hidden size={16} />
          Settings
        </a>
        <button
          type="button"
          className="icon-button"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => show("shortcuts")}
        >
          <Keyboard aria-hidden size={17} />
        </button>
      </div>
    </aside>
  );
}

function Conversations({ inChat }: { inChat: boolean }) {
  const list = useConversations((state) => state.list);
  const loaded = useConversations((state) => state.loaded);
  const error = useConversations((state) => state.error);
  const rename = useConversations((state) => state.rename);
  const remove = useConversations((state) => state.remove);
  const openId = useConversation((state) => state.id);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search).trim().toLocaleLowerCase();
  const [removing, setRemoving] = useState<ConversationRow>();
  const [failed, setFailed] = useState<string>();
  const rows = useMemo(
    () => (wanted ? list.filter((row) => row.title.toLocaleLowerCase().includes(wanted)) : list),
    [list, wanted],
  );
  const told = (cause: unknown): void =>
    setFailed(cause instanceof Error ? cause.message : String(cause));
  const onRename = useCallback(
    (id: string, title: string) => {
      setFailed(undefined);
      rename(id, title).catch(told);
    },
    [rename],
  );
  return (
    <>
      <label className="sidebar-search">
        <Search aria-hidden size={15} />
        <input
          type="search"
          aria-label="Search conversations"
          placeholder="Search"
          autoComplete="off"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </label>
      <nav className="conversations" aria-label="Conversations">
        {error || failed ? <p className="sidebar-note text-danger">{failed ?? error}</p> : null}
        {loaded && rows.length === 0 ? (
          <p className="sidebar-note">
            {wanted
              ? "No title holds that."
              : "Your conversations appear here. They stay in this browser."}
          </p>
        ) : null}
        <ConversationList
          rows={rows}
          current={inChat ? openId : undefined}
          onRename={onRename}
          onRemove={setRemoving}
        />
      </nav>
      <ConfirmDialog
        open={removing !== undefined}
        title="Delete this conversation?"
        confirm="Delete"
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          if (!removing) return;
          setFailed(undefined);
          const wasOpen = removing.id === useConversation.getState().id;
          remove(removing.id).then(() => wasOpen && newChat(), told);
        }}
      >
        “{removing?.title}” and its messages are deleted from this browser. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
