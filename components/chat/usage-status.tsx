"use client";

import { useMemo } from "react";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";
import { formatCost, formatShare, formatTokens } from "../ui/format";
import { summarizeUsage } from "./usage-summary";

/** Tokens, cost and how full the model's context window is. Looked at when wanted: it is not read out as it changes. */
export function UsageStatus() {
  const entries = useConversation((state) => state.entries);
  const live = useConversation(
    (state) => state.run?.state.messages.findLast((entry) => !entry.complete)?.usage,
  );
  const model = useConversation((state) => state.model);
  const contextWindow = useModels(
    (state) =>
      state.providers
        .find(({ id }) => id === model?.provider)
        ?.models.find(({ id }) => id === model?.id)?.contextWindow,
  );
  const usage = useMemo(() => summarizeUsage(entries, live), [entries, live]);
  const share = usage && contextWindow ? Math.min(1, usage.context / contextWindow) : undefined;
  const detail = usage
    ? [
        `${formatTokens(usage.input)} in`,
        ...(usage.cached ? [`${formatTokens(usage.cached)} from cache`] : []),
        `${formatTokens(usage.output)} out`,
        ...(share === undefined || !contextWindow
          ? []
          : [`${formatTokens(usage.context)} of ${formatTokens(contextWindow)} context`]),
      ].join(" · ")
    : undefined;
  return (
    <div role="status" aria-label="Usage" aria-live="off" className="usage" title={detail}>
      {usage ? (
        <>
          <span className="usage-wide">{formatTokens(usage.total)} tokens</span>
          {usage.cost === undefined ? null : (
            <span>
              {usage.costIncomplete ? "≥ " : ""}
              {formatCost(usage.cost)}
            </span>
          )}
          {share === undefined ? null : (
            <span className="usage-share" data-full={share > 0.85 || undefined}>
              <Ring share={share} />
              {formatShare(share)}
              <span className="sr-only"> of the context window</span>
            </span>
          )}
        </>
      ) : null}
    </div>
  );
}

const RADIUS = 6;
const LENGTH = 2 * Math.PI * RADIUS;

function Ring({ share }: { share: number }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      strokeWidth="2.5"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r={RADIUS} stroke="var(--line-strong)" />
      <circle
        cx="8"
        cy="8"
        r={RADIUS}
        stroke="currentColor"
        strokeDasharray={`${Math.max(share, 0.02) * LENGTH} ${LENGTH}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  );
}
