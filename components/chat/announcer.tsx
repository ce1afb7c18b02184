"use client";

import { useEffect, useRef, useState } from "react";
import { useConversation } from "@/lib/browser/stores/conversation";
import { messageText } from "../message/message-text";

const LONGEST = 1200;

/** Tells a screen reader what happens in a few words, and the answer once it is whole: never a text as it grows. */
export function Announcer() {
  const busy = useConversation((state) => state.busy);
  const [said, setSaid] = useState("");
  const wasBusy = useRef(false);
  useEffect(() => {
    if (busy === wasBusy.current) return;
    wasBusy.current = busy;
    setSaid(busy ? "Answering" : lastAnswer());
  }, [busy]);
  return (
    <div aria-live="polite" className="sr-only">
      {said}
    </div>
  );
}

function lastAnswer(): string {
  const message = useConversation.getState().entries.at(-1)?.message;
  if (message?.role !== "assistant") return "";
  // A failure is an alert and speaks for itself.
  if (message.stopReason === "error") return "";
  const text = messageText(message).replace(/[*_`#>|]+/g, "");
  if (message.stopReason === "aborted") return "Stopped";
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}. The answer goes on.` : text;
}
