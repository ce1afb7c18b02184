"use client";

import { type RefObject, useCallback } from "react";
import type { ThinkingLevel } from "@/lib/ai/types";
import { useConversation } from "@/lib/browser/stores/conversation";
import { NEW_CONVERSATION_DRAFT, useDrafts } from "@/lib/browser/stores/drafts";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { Composer } from "../composer/composer";
import { ThinkingMenu } from "../composer/thinking-menu";
import { ToolsMenu } from "../composer/tools-menu";
import { ModelPicker } from "../model-picker/model-picker";
import { conversationAddress, NEW_CHAT } from "../shell/addresses";
import { navigate } from "../shell/navigate";
import { useShell } from "../shell/shell-store";

const NO_LEVELS: ThinkingLevel[] = [];

/** The composer of the open conversation. */
export function ConversationComposer({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const id = useConversation((state) => state.id);
  const busy = useConversation((state) => state.busy);
  const send = useConversation((state) => state.send);
  const stop = useConversation((state) => state.stop);
  const model = useConversation((state) => state.model);
  const level = useConversation((state) => state.thinkingLevel);
  const setLevel = useConversation((state) => state.setThinkingLevel);
  const draft = useDrafts((state) => state.drafts[id ?? NEW_CONVERSATION_DRAFT] ?? "");
  const tools = useModels((state) => state.tools);
  const info = useModels((state) =>
    state.providers
      .find((provider) => provider.id === model?.provider)
      ?.models.find((other) => other.id === model?.id),
  );
  const modes = useSettings((state) => state.tools);
  const setSettings = useSettings((state) => state.set);
  const pickerOpen = useShell((state) => state.dialog === "model");
  const show = useShell((state) => state.show);

  const setPickerOpen = useCallback(
    (open: boolean) => {
      if (open) show("model");
      else if (useShell.getState().dialog === "model") show(undefined);
    },
    [show],
  );

  return (
    <Composer
      field={field}
      value={draft}
      draft={id ?? NEW_CONVERSATION_DRAFT}
      onChange={(text) => useDrafts.getState().setDraft(useConversation.getState().id, text)}
      onSend={async (message) => {
        const sent = await send(message);
        const here = window.location.pathname === NEW_CHAT;
        if (here && useConversation.getState().id === sent) {
          navigate(conversationAddress(sent), "replace");
        }
      }}
      onStop={() => void stop()}
      busy={busy}
      seesImages={info?.input.includes("image")}
      tools={
        <>
          <ThinkingMenu
            levels={info?.thinkingLevels ?? NO_LEVELS}
            level={level}
            onChoose={(chosen) => void setLevel(chosen).catch(() => undefined)}
          />
          <ToolsMenu
            tools={tools}
            modes={modes}
            onChange={(changed) => void setSettings({ tools: changed }).catch(() => undefined)}
          />
        </>
      }
      model={<ModelPicker open={pickerOpen} onOpenChange={setPickerOpen} />}
    />
  );
}
