"use client";

import { X } from "lucide-react";
import type { Attachments } from "./use-attachments";

export function AttachmentChips({ attachments }: { attachments: Attachments }) {
  const { list, reading, remove } = attachments;
  if (list.length === 0 && reading === 0) return null;
  return (
    <ul className="attachments" aria-label="Attachments">
      {list.map(({ id, name, image }) => (
        <li key={id} className="attachment">
          <img src={`data:${image.mimeType};base64,${image.data}`} alt="" />
          <span className="truncate">{name}</span>
          <button
            type="button"
            className="attachment-remove"
            aria-label={`Remove ${name}`}
            onClick={() => remove(id)}
          >
            <X aria-hidden size={13} />
          </button>
        </li>
      ))}
      {Array.from({ length: reading }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <li key={`reading-${index}`} className="attachment">
          <span className="step-spinner" aria-hidden />
          Reading…
        </li>
      ))}
    </ul>
  );
}
