"use client";

import { memo } from "react";
import type { AssistantMessage } from "@/lib/ai/types";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";
import { AssistantArticle } from "../message/assistant-article";
import { MessageActions } from "../message/message-actions";
import { messageText } from "../message/message-text";
import { OrphanResult } from "../message/orphan-result";
import { UserArticle } from "../message/user-article";
import { settingsAddress } from "../shell/addresses";
import { formatDuration } from "../ui/format";
import type { TranscriptItem } from "./transcript-items";

export interface SlotActions {
  onRetry: () => void;
  onChooseModel: () => void;
  onNewChat: () => void;
}

interface MessageSlotProps extends SlotActions {
  item: TranscriptItem;
  /** The last article while nothing is running: the one that can be asked for again. */
  last: boolean;
  /** A run goes on that this answer belongs to. */
  busy: boolean;
}

/** One article. While its message is being written it looks at the run's state, and is the only one that draws a delta. */
export const MessageSlot = memo(
  function MessageSlot({ item, last, busy, ...actions }: MessageSlotProps) {
    const live = useConversation((state) =>
      item.row ? undefined : state.run?.state.messages.find((entry) => entry.id === item.id),
    );
    const message = item.row?.message ?? live?.message;
    if (message?.role === "user") return <UserArticle id={item.id} message={message} />;
    if (message?.role === "toolResult") return <OrphanResult id={item.id} message={message} />;
    if (message?.role !== "assistant") return null;
    const onRetry = last ? actions.onRetry : undefined;
    const failed = message.stopReason === "error";
    return (
      <AssistantArticle
        id={item.id}
        message={message}
        streaming={live !== undefined && !live.complete}
        argsText={live?.argsText}
        continues={item.continues}
        settingsHref={settingsAddress(message.provider)}
        {...actions}
        onRetry={onRetry}
      >
        {item.endsAnswer && !busy ? (
          <MessageActions
            text={() => answerText(item.id)}
            onRegenerate={failed ? undefined : onRetry}
            always={last}
          >
            <Origin message={message} />
          </MessageActions>
        ) : null}
      </AssistantArticle>
    );
  },
  (before, after) =>
    before.last === after.last &&
    before.busy === after.busy &&
    before.item.id === after.item.id &&
    before.item.row === after.item.row &&
    before.item.continues === after.item.continues &&
    before.item.endsAnswer === after.item.endsAnswer &&
    before.onRetry === after.onRetry,
);

/** Who answered and how long it took. */
function Origin({ message }: { message: AssistantMessage }) {
  const name = useModels((state) => {
    const provider = state.providers.find(({ id }) => id === message.provider);
    return provider?.models.find(({ id }) => id === message.model)?.name;
  });
  return (
    <span className="min-w-0 truncate">
      {name ?? message.model}
      {message.durationMs ? ` · ${formatDuration(message.durationMs)}` : ""}
    </span>
  );
}

/** All text of the answer that ends with this entry. */
function answerText(lastId: string): string {
  const { entries } = useConversation.getState();
  const texts: string[] = [];
  for (let index = entries.findLastIndex(({ id }) => id === lastId); index >= 0; index -= 1) {
    const message = entries[index]?.message;
    if (!message || message.role === "user") break;
    if (message.role === "assistant") texts.unshift(messageText(message));
  }
  return texts.filter(Boolean).join("\n\n");
}
