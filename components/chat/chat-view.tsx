"use client";

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useDrafts } from "@/lib/browser/stores/drafts";
import { newChat } from "../shell/navigate";
import { PageHeader } from "../shell/page-header";
import { useShell } from "../shell/shell-store";
import { isNarrow } from "../shell/sidebar-state";
import { Announcer } from "./announcer";
import { ConversationComposer } from "./conversation-composer";
import { EmptyState } from "./empty-state";
import { Notices } from "./notices";
import { Transcript } from "./transcript";
import { UsageStatus } from "./usage-status";

/** The conversation that the address names, or a new one. */
export function ChatView({ addressId }: { addressId: string | undefined }) {
  const open = useConversation((state) => state.open);
  const id = useConversation((state) => state.id);
  const status = useConversation((state) => state.status);
  const error = useConversation((state) => state.error);
  const title = useConversation((state) => state.title);
  const isEmpty = useConversation((state) => state.entries.length === 0 && !state.busy);
  const [retryError, setRetryError] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const show = useShell((state) => state.show);

  useLayoutEffect(() => {
    setRetryError(undefined);
    void open(addressId);
  }, [open, addressId]);
  useEffect(() => {
    document.title = title ? `${title} · Rill` : "Rill";
  }, [title]);
  // On a phone the keyboard would cover the conversation that was just opened.
  useEffect(() => {
    if (!isNarrow() && !useShell.getState().dialog) field.current?.focus({ preventScroll: true });
  }, [addressId]);

  const onRetry = useCallback(() => {
    setRetryError(undefined);
    useConversation
      .getState()
      .retry()
      .catch((cause: unknown) => {
        setRetryError(cause instanceof Error ? cause.message : String(cause));
      });
  }, []);
  const onChooseModel = useCallback(() => show("model"), [show]);
  const onStart = (text: string): void => {
    useDrafts.getState().setDraft(undefined, text);
    field.current?.focus();
  };

  const fresh = addressId === undefined && status === "empty" && isEmpty;
  const waits = addressId !== undefined && (status === "loading" || status === "empty");
  const gone = status === "missing" || status === "failed";
  return (
    <main className="chat" data-fresh={fresh || undefined}>
      <PageHeader title={fresh ? "New chat" : (title ?? "")}>
        <UsageStatus />
      </PageHeader>
      <Transcript
        conversationId={id}
        onRetry={onRetry}
        onChooseModel={onChooseModel}
        onNewChat={newChat}
      >
        {fresh ? <EmptyState onStart={onStart} /> : null}
        {waits ? <Skeleton /> : null}
        {status === "missing" ? (
          <div className="empty">
            <h2>This conversation is not here</h2>
            <p>
              Conversations stay in the browser that they were held in. This one was deleted, or it
              belongs to another browser.
            </p>
          </div>
        ) : null}
        {status === "failed" ? (
          <div className="empty" role="alert">
            <h2>This conversation could not be opened</h2>
            <p>{error}</p>
            <button type="button" className="button" onClick={() => void open(addressId)}>
              Try again
            </button>
          </div>
        ) : null}
      </Transcript>
      <div className="chat-foot">
        <Notices />
        {retryError ? (
          <p role="alert" className="notice notice-bad">
            {retryError}
          </p>
        ) : null}
        {gone ? null : (
          <>
            <ConversationComposer field={field} />
            <p className="chat-note">Models make mistakes. Check what matters.</p>
          </>
        )}
      </div>
      <Announcer />
    </main>
  );
}

/** Shown only when opening takes long enough to be noticed. */
function Skeleton() {
  return (
    <div className="skeleton" aria-hidden="true">
      <i />
      <i />
      <i />
    </div>
  );
}
