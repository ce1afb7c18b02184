"use client";

import { ArrowUp, Paperclip, Square } from "lucide-react";
import {
  type DragEvent,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { ImageContent } from "@/lib/ai/types";
import { isComposing } from "../ui/composing";
import { AttachmentChips } from "./attachment-chips";
import { useAttachments } from "./use-attachments";

export interface ComposerProps {
  value: string;
  /** Names the draft: pictures belong to it as the text does. */
  draft?: string;
  onChange: (text: string) => void;
  /** Rejects when nothing was stored: text and pictures come back then. */
  onSend: (message: { text: string; images: ImageContent[] }) => Promise<void>;
  onStop: () => void;
  /** A run is active: Stop is shown, Send is not. */
  busy: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  /** The chosen model looks at pictures; undefined: not known. */
  seesImages?: boolean;
  /** Buttons beside Attach, and before Send. */
  tools?: ReactNode;
  model?: ReactNode;
}

/** The field for a message. A plain text field: what is sent is exactly what was typed. */
export function Composer(props: ComposerProps) {
  const {
    value,
    draft = "",
    onChange,
    onSend,
    onStop,
    busy,
    field,
    seesImages,
    tools,
    model,
  } = props;
  const attachments = useAttachments(draft);
  const [error, setError] = useState<string>();
  const [dragging, setDragging] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  useGrowingField(field, value);

  const empty = value.trim() === "" && attachments.list.length === 0;
  const blocked = busy || empty || attachments.reading > 0;

  async function send(): Promise<void> {
    if (blocked) return;
    const sent = { text: value, list: attachments.list };
    setError(undefined);
    onChange("");
    attachments.replace([]);
    try {
      await onSend({ text: sent.text, images: sent.list.map(({ image }) => image) });
    } catch (cause) {
      // Nothing was stored. What has been typed since stays behind it.
      const since = field.current?.value ?? "";
      onChange(since ? `${sent.text}\n${since}` : sent.text);
      attachments.replace(sent.list);
      setError(cause instanceof Error ? cause.message : String(cause));
    }
  }

  function onKeyDown(event: React.KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Escape" && busy) {
      event.preventDefault();
      onStop();
    } else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void send();
    }
  }

  function onPaste(event: React.ClipboardEvent): void {
    const pasted = [...event.clipboardData.files];
    // A copied table brings a picture of itself along: its text is what was meant.
    if (pasted.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    void attachments.add(pasted);
  }

  function onDrop(event: DragEvent): void {
    setDragging(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void attachments.add(event.dataTransfer.files);
  }

  const blind = attachments.list.length > 0 && seesImages === false;
  const note =
    error ??
    attachments.error ??
    (blind
      ? "This model does not look at pictures. Choose another one to have them seen."
      : undefined);
  return (
    <form
      className="composer"
      data-dragging={dragging || undefined}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void send();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragging(false);
      }}
      onDrop={onDrop}
    >
      {note ? (
        <p role={error ? "alert" : undefined} className="composer-note">
          {note}
        </p>
      ) : null}
      <AttachmentChips attachments={attachments} />
      <textarea
        ref={field}
        className="composer-field"
        aria-label="Message"
        placeholder="Message"
        rows={1}
        dir="auto"
        value={value}
        enterKeyHint="send"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="composer-bar">
        <input
          ref={files}
          type="file"
          multiple
          accept="image/*"
          hidden
          aria-label="Files"
          onChange={(event) => {
            void attachments.add(event.target.files ?? []);
            event.target.value = "";
          }}
        />
        <button
          type="button"
          className="icon-button"
          aria-label="Attach files"
          title="Attach files"
          onClick={() => files.current?.click()}
        >
          <Paperclip aria-hidden size={17} />
        </button>
        {tools}
        <span className="min-w-0 flex-1" />
        {model}
        {busy ? (
          <button
            type="button"
            className="send-button"
            aria-label="Stop"
            title="Stop (Esc)"
            onClick={onStop}
          >
            <Square aria-hidden size={13} fill="currentColor" />
          </button>
        ) : (
          <button
            type="submit"
            className="send-button"
            aria-label="Send"
            title="Send (Enter)"
            disabled={blocked}
          >
            <ArrowUp aria-hidden size={18} strokeWidth={2.25} />
          </button>
        )}
      </div>
    </form>
  );
}

/** Browsers that size a field by its content do so by style; for the others its height is measured. */
function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, value: string): void {
  useLayoutEffect(() => {
    const box = field.current;
    if (!box || CSS.supports?.("field-sizing", "content")) return;
    box.style.height = "auto";
    // An empty field measures its placeholder.
    if (value !== "") box.style.height = `${box.scrollHeight}px`;
  }, [field, value]);
}
