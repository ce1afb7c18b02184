"use client";

import { useEffect, useId, useState } from "react";
import { useSettings } from "@/lib/browser/stores/settings";
import { SavingNote, useSaving } from "./saving-note";

const SAVE_AFTER_MS = 400;

/** The system prompt of every conversation. Saved while one types. */
export function PromptTab() {
  const stored = useSettings((state) => state.systemPrompt ?? "");
  const set = useSettings((state) => state.set);
  const [text, setText] = useState(stored);
  const saving = useSaving();
  const id = useId();
  const { run } = saving;

  useEffect(() => {
    if (text === stored) return;
    const save = (): void => run(() => set({ systemPrompt: text.trim() ? text : undefined }));
    const timer = setTimeout(save, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <div className="space-y-2">
      <label htmlFor={id} className="block font-medium">
        System prompt
      </label>
      <p className="text-sm text-ink-2">What every model is told before a conversation begins.</p>
      <textarea
        id={id}
        className="field min-h-40 resize-y leading-relaxed"
        placeholder="For example: Answer briefly, in plain words."
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => {
          if (text !== stored) run(() => set({ systemPrompt: text.trim() ? text : undefined }));
        }}
      />
      <p role="status" className="text-xs text-ink-3">
        {text === stored ? (text ? "Saved." : "") : "Saving…"}
      </p>
      <SavingNote error={saving.error} />
    </div>
  );
}
