"use client";

import { Check, Copy, X } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "./copy-text";

type State = "idle" | "copied" | "failed";
const SHOWN_FOR_MS = 1600;

interface CopyButtonProps {
  /** Called at the click, so that a long text is put together only then. */
  text: () => string;
  label?: string;
  className?: string;
  showLabel?: boolean;
}

export function CopyButton({ text, label = "Copy", className, showLabel }: CopyButtonProps) {
  const [state, setState] = useState<State>("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const Icon = state === "copied" ? Check : state === "failed" ? X : Copy;
  const said = state === "copied" ? "Copied" : state === "failed" ? "Could not copy" : label;
  return (
    <button
      type="button"
      className={className ?? "icon-button"}
      aria-label={said}
      title={said}
      onClick={async () => setState((await copyText(text())) ? "copied" : "failed")}
    >
      <Icon aria-hidden size={15} />
      {showLabel ? (
        <span>{state === "idle" ? "Copy" : state === "copied" ? "Copied" : "Failed"}</span>
      ) : null}
    </button>
  );
}
