"use client";

import { ChevronRight, Waves } from "lucide-react";
import { memo, useEffect, useId, useState } from "react";
import { Markdown } from "../markdown/markdown";
import { formatDuration } from "../ui/format";

interface ThinkingProps {
  text: string;
  /** The model is still at it. */
  open: boolean;
  redacted?: boolean;
}

/** What the model thought before it spoke: one line while it does, all of it on request. */
export const Thinking = memo(function Thinking({ text, open, redacted }: ThinkingProps) {
  const [expanded, setExpanded] = useState(false);
  const duration = useDuration(open);
  const id = useId();
  const readable = !redacted && text.trim() !== "";
  if (!open && !readable) {
    return redacted ? (
      <div className="step">
        <span className="step-node">
          <Waves aria-hidden size={13} />
        </span>
        <p className="step-head step-quiet">Thinking, kept private by the provider</p>
      </div>
    ) : null;
  }
  return (
    <div className="step" data-open={open || undefined}>
      <span className="step-node">
        <Waves aria-hidden size={13} />
      </span>
      <button
        type="button"
        className="step-head"
        aria-expanded={expanded}
        aria-controls={expanded ? id : undefined}
        aria-label={duration ? `Thinking, ${duration}` : "Thinking"}
        onClick={() => setExpanded(!expanded)}
      >
        <span className={open ? "step-title shimmer" : "step-title"}>Thinking</span>
        {duration ? <span className="step-state">{duration}</span> : null}
        {expanded || !readable ? null : (
          <span aria-hidden className="step-ticker" dir="auto">
            {open ? lastLine(text) : firstLine(text)}
          </span>
        )}
        <ChevronRight aria-hidden size={14} className="step-chevron" />
      </button>
      {expanded ? (
        <div id={id} className="thinking-text">
          <Markdown text={text} streaming={open} />
        </div>
      ) : null}
    </div>
  );
});

/** How long the thinking took, when this page saw it begin and end. */
function useDuration(open: boolean): string | undefined {
  const [took, setTook] = useState<number>();
  useEffect(() => {
    if (!open) return;
    const began = performance.now();
    return () => setTook(performance.now() - began);
  }, [open]);
  return took === undefined || open ? undefined : formatDuration(took);
}

const PLAIN = /[*_`#>]+/g;

function lastLine(text: string): string {
  const lines = text.trimEnd().slice(-400).split("\n");
  return (lines.at(-1) ?? "").replace(PLAIN, "").slice(-140);
}

function firstLine(text: string): string {
  const line = text.trim().slice(0, 400).split("\n")[0] ?? "";
  return line.replace(PLAIN, "").trim();
}
