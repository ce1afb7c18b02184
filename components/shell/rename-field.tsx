"use client";

import { useEffect, useRef, useState } from "react";

interface RenameFieldProps {
  title: string;
  /** With the new title, or undefined when it was left as it was. */
  onDone: (title: string | undefined) => void;
}

export function RenameField({ title, onDone }: RenameFieldProps) {
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const finish = (keep: boolean): void =>
    onDone(keep && text.trim() && text.trim() !== title ? text.trim() : undefined);
  return (
    <input
      ref={field}
      className="field min-h-0 py-1.5"
      aria-label="Title"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") finish(true);
        if (event.key === "Escape") finish(false);
      }}
    />
  );
}
