"use client";

import { memo, useState } from "react";
import type { UserMessage } from "@/lib/ai/types";
import { MessageActions } from "./message-actions";
import { messageText } from "./message-text";

const LONG_LINES = 24;
const LONG_CHARACTERS = 1800;

interface UserArticleProps {
  id: string;
  message: UserMessage;
}

/** What the person wrote, exactly as it was written. */
export const UserArticle = memo(function UserArticle({ id, message }: UserArticleProps) {
  const text = messageText(message);
  const images =
    typeof message.content === "string"
      ? []
      : message.content.filter((block) => block.type === "image");
  return (
    <article
      id={`m-${id}`}
      data-entry-id={id}
      data-role="user"
      aria-label="You"
      className="message user"
    >
      {images.length > 0 ? (
        <div className="user-images">
          {images.map((image, index) => (
            <img
              // biome-ignore lint/suspicious/noArrayIndexKey: a sent message does not change
              key={index}
              src={`data:${image.mimeType};base64,${image.data}`}
              alt={`Attachment ${index + 1}`}
            />
          ))}
        </div>
      ) : null}
      {text ? <Bubble text={text} /> : null}
      <MessageActions text={() => text} />
    </article>
  );
});

function Bubble({ text }: { text: string }) {
  const long =
    text.length > LONG_CHARACTERS || text.split("\n", LONG_LINES + 1).length > LONG_LINES;
  const [open, setOpen] = useState(false);
  return (
    <div className="bubble">
      <p dir="auto" className={long && !open ? "bubble-text bubble-folded" : "bubble-text"}>
        {text}
      </p>
      {long ? (
        <button
          type="button"
          className="bubble-more"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? "Show less" : "Show all"}
        </button>
      ) : null}
    </div>
  );
}
