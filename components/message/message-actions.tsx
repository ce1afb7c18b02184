"use client";

import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { CopyButton } from "../ui/copy-button";

interface MessageActionsProps {
  /** The source of the message, not what was drawn of it. */
  text: () => string;
  onRegenerate?: () => void;
  /** Stays visible without the pointer over the message. */
  always?: boolean;
  children?: ReactNode;
}

export function MessageActions({ text, onRegenerate, always, children }: MessageActionsProps) {
  return (
    <div className="message-foot" data-always={always || undefined}>
      <div role="toolbar" aria-label="Message actions" className="flex items-center">
        <CopyButton text={text} />
        {onRegenerate ? (
          <button
            type="button"
            className="icon-button"
            aria-label="Regenerate"
            title="Regenerate"
            onClick={onRegenerate}
          >
            <RefreshCw aria-hidden size={15} />
          </button>
        ) : null}
      </div>
      {children}
    </div>
  );
}
