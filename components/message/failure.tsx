"use client";

import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Advice } from "@/lib/browser/advice";
import { formatDuration } from "../ui/format";

export interface FailureActions {
  /** Absent where it would not help: an answer that is not the last one. */
  onRetry?: () => void;
  onChooseModel?: () => void;
  onNewChat?: () => void;
  /** Address of the settings of the provider that failed. */
  settingsHref: string;
}

interface FailureProps extends FailureActions {
  advice: Advice;
  /** What the provider or the server said. */
  message?: string;
}

/** Says what failed and what helps. */
export function Failure({ advice, message, ...actions }: FailureProps) {
  return (
    <div role="alert" className="failure">
      <CircleAlert aria-hidden size={18} className="failure-icon" />
      <div className="min-w-0 flex-1">
        <p className="failure-title">{advice.title}</p>
        <p className="failure-advice">
          {advice.advice}
          {advice.waitMs ? ` It asks for ${formatDuration(advice.waitMs)}.` : null}
        </p>
        {message && message !== advice.title ? (
          <p className="failure-message" dir="auto">
            {message}
          </p>
        ) : null}
        <FailureButtons advice={advice} {...actions} />
      </div>
    </div>
  );
}

function FailureButtons(props: FailureActions & { advice: Advice }): ReactNode {
  const { advice, onRetry, onChooseModel, onNewChat, settingsHref } = props;
  const { action } = advice;
  const helps =
    action === "settings" ? (
      <a className="button" href={settingsHref}>
        Open settings
      </a>
    ) : action === "model" && onChooseModel ? (
      <button type="button" className="button" onClick={onChooseModel}>
        Choose a model
      </button>
    ) : action === "new-chat" && onNewChat ? (
      <button type="button" className="button" onClick={onNewChat}>
        Start afresh
      </button>
    ) : null;
  if (!helps && (!onRetry || action === "none")) return null;
  return (
    <div className="failure-buttons">
      {helps}
      {onRetry && action !== "none" ? (
        <button type="button" className="button" onClick={onRetry}>
          Retry
        </button>
      ) : null}
    </div>
  );
}
