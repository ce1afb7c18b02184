"use client";

import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { memo, useMemo, useState } from "react";
import type { ConversationRow } from "@/lib/browser/db/rows";
import { isComposing } from "../ui/composing";
import { Menu, MenuItem } from "../ui/menu";
import { conversationAddress } from "./addresses";
import { groupByDate } from "./group-by-date";

interface ConversationListProps {
  rows: ConversationRow[];
  current?: string;
  onRename: (id: string, title: string) => void;
  onRemove: (row: ConversationRow) => void;
}

export function ConversationList({ rows, current, ...actions }: ConversationListProps) {
  const groups = useMemo(() => groupByDate(rows, Date.now()), [rows]);
  return groups.map((group) => (
    <section key={group.label} className="conversation-group" aria-label={group.label}>
      <h3>{group.label}</h3>
      <ul>
        {group.rows.map((row) => (
          <ConversationItem key={row.id} row={row} current={row.id === current} {...actions} />
        ))}
      </ul>
    </section>
  ));
}

interface ConversationItemProps extends Omit<ConversationListProps, "rows" | "current"> {
  row: ConversationRow;
  current: boolean;
}

const ConversationItem = memo(function ConversationItem(props: ConversationItemProps) {
  const { row, current, onRename, onRemove } = props;
  const [renaming, setRenaming] = useState(false);
  const title = row.title || "Untitled";
  if (renaming) {
    return (
      <li>
        <RenameField
          title={row.title}
          onDone={(next) => {
            setRenaming(false);
            if (next && next !== row.title) onRename(row.id, next);
          }}
        />
      </li>
    );
  }
  return (
    <li className="conversation-item" data-current={current || undefined}>
      <a
        href={conversationAddress(row.id)}
        aria-current={current ? "page" : undefined}
        title={title}
      >
        <span dir="auto" className="truncate">
          {title}
        </span>
        {row.activeRun ? <span className="conversation-live" title="Answering" /> : null}
      </a>
      <Menu
        label={`Options for ${title}`}
        menuLabel="Options"
        className="conversation-options"
        trigger={<Ellipsis aria-hidden size={16} />}
      >
        {(close) => (
          <>
            <MenuItem
              icon={<Pencil aria-hidden size={15} />}
              onSelect={() => {
                close();
                setRenaming(true);
              }}
            >
              Rename
            </MenuItem>
            <MenuItem
              danger
              icon={<Trash2 aria-hidden size={15} />}
              onSelect={() => {
                close();
                onRemove(row);
              }}
            >
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
});

function RenameField({ title, onDone }: { title: string; onDone: (title?: string) => void }) {
  const [text, setText] = useState(title);
  return (
    <input
      className="conversation-rename"
      aria-label="Title"
      dir="auto"
      // biome-ignore lint/a11y/noAutofocus: it was asked for just now
      autoFocus
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onDone(text.trim())}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === "Enter") onDone(text.trim());
        if (event.key === "Escape") {
          event.stopPropagation();
          onDone();
        }
      }}
    />
  );
}
