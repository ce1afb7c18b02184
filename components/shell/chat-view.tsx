"use client";

import { Transcript } from "@/components/chat/transcript";
import { Composer } from "@/components/composer/composer";
import { useConversation } from "@/lib/browser/stores/conversation";
import { navigate } from "./navigate";
import { openModelPicker } from "./open-model-picker";
import { focusComposer } from "./use-shortcuts";
import { Welcome } from "./welcome";

// Stable, so that no message is drawn anew because of them.
const retry = (): void => {
  useConversation
    .getState()
    .retry()
    .catch(() => {});
};
const startAfresh = (): void => {
  navigate("/");
  focusComposer();
};

/** The open conversation and the field to write in. */
export function ChatView() {
  const id = useConversation((state) => state.id);
  const status = useConversation((state) => state.status);
  const error = useConversation((state) => state.error);
  const blank = useConversation((state) => state.status === "empty" && state.entries.length === 0);
  if (status === "missing" || status === "failed") {
    return (
      <main className="grid flex-1 place-items-center p-6 text-center">
        <div role="alert" className="max-w-md space-y-3">
          <h1 className="text-lg font-semibold">
            {status === "missing"
              ? "This conversation is not in this browser"
              : "This conversation could not be opened"}
          </h1>
          <p className="text-ink-2">
            {status === "missing" ? "It was deleted, or it was written in another browser." : error}
          </p>
          <a className="button" href="/">
            New chat
          </a>
        </div>
      </main>
    );
  }
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <Transcript
        conversationId={id}
        onRetry={retry}
        onChooseModel={openModelPicker}
        onNewChat={startAfresh}
      >
        {blank ? <Welcome /> : null}
      </Transcript>
      <Composer />
    </main>
  );
}
