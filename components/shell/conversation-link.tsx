"use client";

import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { memo, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { ConversationRow } from "@/lib/browser/db/rows";
import { useConversations } from "@/lib/browser/stores/conversations";
import { conversationAddress } from "./addresses";
import { navigate } from "./navigate";
import { RenameField } from "./rename-field";

interface ConversationLinkProps {
  row: ConversationRow;
  current: boolean;
}

export const ConversationLink = memo(function ConversationLink({
  row,
  current,
}: ConversationLinkProps) {
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [error, setError] = useState<string>();
  const remove = async (): Promise<void> => {
    try {
      await useConversations.getState().remove(row.id);
      if (current) navigate("/", "replace");
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
    }
  };
  return (
    <li>
      <div className="sidebar-row" data-current={current}>
        {renaming ? (
          <RenameField
            title={row.title}
            onDone={(title) => {
              setRenaming(false);
              if (title !== undefined) {
                useConversations
                  .getState()
                  .rename(row.id, title)
                  .catch((cause: Error) => setError(cause.message));
              }
            }}
          />
        ) : (
          <>
            <a
              href={conversationAddress(row.id)}
              className="sidebar-link"
              aria-current={current ? "page" : undefined}
              title={row.title}
              onDoubleClick={() => setRenaming(true)}
            >
              {row.title}
            </a>
            {row.activeRun ? (
              <span
                role="img"
                aria-label="Answering"
                className="mx-2 size-2 flex-none animate-pulse rounded-full bg-accent"
              />
            ) : null}
            <Menu label={`Options for ${row.title}`} trigger={<Ellipsis aria-hidden size={16} />}>
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
                      setDeleting(true);
                    }}
                  >
                    Delete
                  </MenuItem>
                </>
              )}
            </Menu>
          </>
        )}
      </div>
      {error ? (
        <p role="alert" className="px-2.5 py-1 text-xs text-danger">
          {error}
        </p>
      ) : null}
      <ConfirmDialog
        open={deleting}
        title="Delete this conversation?"
        confirm="Delete"
        onConfirm={() => void remove()}
        onClose={() => setDeleting(false)}
      >
        “{row.title}” and all its messages are removed from this browser.
      </ConfirmDialog>
    </li>
  );
});
