"use client";

import { useMemo } from "react";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";
import { summarizeUsage } from "./usage-summary";

/** Tokens, cost and how full the model's window is, as of the last answer. */
export function UsageStatus() {
  const entries = useConversation((state) => state.entries);
  const model = useConversation((state) => state.model);
  const find = useModels((state) => state.find);
  const contextWindow = find(model)?.model.contextWindow ?? 0;
  const summary = useMemo(
    () =>
      summarizeUsage(
        entries.map((entry) => entry.message),
        contextWindow,
      ),
    [entries, contextWindow],
  );
  return (
    <span
      role="status"
      aria-label="Usage"
      title={summary?.title}
      className="truncate px-2 text-xs text-ink-3 tabular-nums"
    >
      {summary?.text}
    </span>
  );
}
