"use client";

import { ArrowDown } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { useShallow } from "zustand/react/shallow";
import { adviceFor } from "@/lib/browser/advice";
import { useConversation } from "@/lib/browser/stores/conversation";
import { Failure } from "../message/failure";
import { settingsAddress } from "../shell/addresses";
import { ToolSourceContext } from "../tools/tool-source";
import { MessageSlot, type SlotActions } from "./message-slot";
import { RunLine } from "./run-line";
import { storeToolSource } from "./store-tool-source";
import { transcriptItems } from "./transcript-items";
import { useFollowEnd } from "./use-follow-end";

interface TranscriptProps extends SlotActions {
  conversationId?: string;
  /** Shown instead of messages. */
  children?: ReactNode;
}

/** The messages of the open conversation. It draws anew when a message begins or ends, not when one grows. */
export function Transcript({ conversationId, children, ...actions }: TranscriptProps) {
  const entries = useConversation((state) => state.entries);
  const busy = useConversation((state) => state.busy);
  const error = useConversation((state) => state.run?.error);
  const liveIds = useConversation(
    useShallow((state) => state.run?.state.messages.map((entry) => entry.id) ?? []),
  );
  const items = useMemo(() => {
    const messages = useConversation.getState().run?.state.messages ?? [];
    const live = messages.filter((entry) => liveIds.includes(entry.id));
    return transcriptItems(entries, live);
  }, [entries, liveIds]);

  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { atEnd, toEnd } = useFollowEnd(scroller, content);

  const lastItem = items.at(-1);
  const lastUser = items.findLast((item) => item.role === "user")?.id;
  // Another conversation opens at its end, and so does one's own new message.
  useLayoutEffect(() => {
    if (lastUser !== undefined || conversationId !== undefined) toEnd();
  }, [toEnd, conversationId, lastUser]);
  useScrollToAddress(items.length > 0);

  const lastUserIndex = items.findLastIndex((item) => item.role === "user");
  return (
    <ToolSourceContext value={storeToolSource}>
      <div className="transcript">
        <div
          ref={scroller}
          className="transcript-scroller"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          tabIndex={0}
          role="log"
          aria-label="Conversation"
          aria-live="off"
          aria-busy={busy}
        >
          <div ref={content} className="transcript-content">
            {children}
            {items.map((item, index) => (
              <MessageSlot
                key={item.id}
                item={item}
                last={item === lastItem && !busy && !error}
                busy={busy && index > lastUserIndex}
                {...actions}
              />
            ))}
            {busy ? <RunLine /> : null}
            {error && !busy ? (
              <article data-role="assistant" aria-label="Assistant" className="message assistant">
                <Failure
                  advice={adviceFor(error)}
                  message={error.message}
                  settingsHref={settingsAddress(useConversation.getState().model?.provider)}
                  {...actions}
                />
              </article>
            ) : null}
          </div>
        </div>
        {atEnd || items.length === 0 ? null : (
          <button
            type="button"
            className="jump-button"
            aria-label="Jump to latest"
            title="Jump to latest"
            onClick={() => toEnd("smooth")}
          >
            <ArrowDown aria-hidden size={18} />
          </button>
        )}
      </div>
    </ToolSourceContext>
  );
}

/** `#m-{entryId}` in the address scrolls to that message once it is there. */
function useScrollToAddress(ready: boolean): void {
  useEffect(() => {
    if (!ready) return;
    const show = (): void => {
      const { hash } = window.location;
      if (hash.startsWith("#m-")) document.getElementById(hash.slice(1))?.scrollIntoView();
    };
    show();
    window.addEventListener("hashchange", show);
    return () => window.removeEventListener("hashchange", show);
  }, [ready]);
}
