"use client";

import { Ban, Check, ChevronRight, CircleStop, Hand, Wrench, X } from "lucide-react";
import { memo, useId, useState } from "react";
import type { ToolContent } from "@/lib/agent/types";
import type { ToolCall } from "@/lib/ai/types";
import type { ToolState } from "@/lib/run/fold";
import { CopyButton } from "../ui/copy-button";
import { formatDuration } from "../ui/format";
import { ToolApproval } from "./tool-approval";
import { toolDetails } from "./tool-details";
import { ToolResultView } from "./tool-result-view";
import type { ToolSource } from "./tool-source";
import { toolSummary } from "./tool-summary";
import type { ToolView } from "./tool-view";

interface ToolCardProps {
  call: ToolCall;
  label: string;
  view: ToolView;
  /** The arguments as far as they have arrived, while the call is being written. */
  argsText?: string;
  /** Absent where nothing can be decided. */
  onAnswer?: ToolSource["answer"];
}

const STATE_LABEL: Record<ToolState, string> = {
  pending: "Waiting",
  running: "Running",
  "awaiting-approval": "Asks for permission",
  done: "Done",
  error: "Failed",
  denied: "Not allowed",
  aborted: "Stopped",
};

/** Results longer than this are folded until somebody wants to see them. */
const SHORT_RESULT = 240;

/** A tool call as a step of the answer: what was asked, how it goes, what came back. */
export const ToolCard = memo(function ToolCard(props: ToolCardProps) {
  const { call, label, view, argsText, onAnswer } = props;
  const [open, setOpen] = useState(false);
  const id = useId();
  const output = textOf(view.content);
  const summary = toolSummary(call.arguments, argsText);
  const details = toolDetails(call.name, view.details);
  const failed = view.state === "error" || view.state === "denied";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div
      role="group"
      aria-label={`Tool call: ${label}`}
      data-tool-call-id={call.id}
      data-state={view.state}
      className="step tool"
    >
      <span className="step-node">
        <StateIcon state={view.state} />
      </span>
      <button
        type="button"
        className="step-head"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span className="step-title">{label}</span>
        {summary ? (
          <code className="step-summary" dir="auto">
            {summary}
          </code>
        ) : null}
        <span className="step-state">{argsText === undefined ? stateText(view) : "Writing"}</span>
        <ChevronRight aria-hidden size={14} className="step-chevron" />
      </button>
      {call.argumentsError ? <p className="tool-error">{call.argumentsError}</p> : null}
      {view.state === "awaiting-approval" && onAnswer ? (
        <ToolApproval label={label} onAnswer={(answer) => onAnswer(call, answer)} />
      ) : null}
      {details ? <ToolResultView details={details} /> : null}
      {!open && output && !details ? (
        <pre className={failed ? "tool-preview tool-error" : "tool-preview"} dir="auto">
          {shorten(output)}
        </pre>
      ) : null}
      {open ? (
        <div id={id} className="tool-detail">
          <Detail title="Input" text={argsText ?? JSON.stringify(call.arguments, null, 2)} />
          {output ? <Detail title="Result" text={output} failed={failed} /> : null}
        </div>
      ) : null}
      <Images content={view.content} />
    </div>
  );
});

function Detail({ title, text, failed }: { title: string; text: string; failed?: boolean }) {
  return (
    <section className="tool-section" aria-label={title}>
      <header>
        <span>{title}</span>
        <CopyButton text={() => text} label={`Copy ${title.toLowerCase()}`} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className={failed ? "tool-error" : undefined} dir="auto">
        {pretty(text)}
      </pre>
    </section>
  );
}

function Images({ content }: { content: ToolContent | undefined }) {
  const images = content?.filter((block) => block.type === "image") ?? [];
  if (images.length === 0) return null;
  return (
    <div className="tool-images">
      {images.map((image, index) => (
        <img
          // biome-ignore lint/suspicious/noArrayIndexKey: a result does not change
          key={index}
          src={`data:${image.mimeType};base64,${image.data}`}
          alt={`Result ${index + 1}`}
        />
      ))}
    </div>
  );
}

function StateIcon({ state }: { state: ToolState }) {
  const size = 13;
  switch (state) {
    case "pending":
      return <Wrench aria-hidden size={size} />;
    case "running":
      return <span aria-hidden className="step-spinner" />;
    case "awaiting-approval":
      return <Hand aria-hidden size={size} />;
    case "done":
      return <Check aria-hidden size={size} strokeWidth={2.5} />;
    case "error":
      return <X aria-hidden size={size} strokeWidth={2.5} />;
    case "denied":
      return <Ban aria-hidden size={size} />;
    case "aborted":
      return <CircleStop aria-hidden size={size} />;
  }
}

function stateText(view: ToolView): string {
  if (view.state === "done") {
    return view.durationMs === undefined ? "" : formatDuration(view.durationMs);
  }
  return STATE_LABEL[view.state];
}

function textOf(content: ToolContent | undefined): string {
  if (!content) return "";
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

function shorten(text: string): string {
  const lines = text.trim().split("\n");
  const start = lines.slice(0, 3).join("\n");
  const cut = start.length > SHORT_RESULT ? start.slice(0, SHORT_RESULT) : start;
  return cut.length < text.trim().length ? `${cut} …` : cut;
}

function pretty(text: string): string {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return text;
  try {
    return JSON.stringify(JSON.parse(trimmed), null, 2);
  } catch {
    return text;
  }
}
