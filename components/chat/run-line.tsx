"use client";

import { useConversation } from "@/lib/browser/stores/conversation";
import { formatDuration } from "../ui/format";

/** What the run waits for, on the line where the answer's toolbar will be. */
export function RunLine() {
  const text = useConversation((state) => {
    const { run } = state;
    if (!run) return "";
    switch (run.connection) {
      case "reconnecting":
        return "The connection broke. Reconnecting…";
      case "lost":
        return "The connection is lost. The answer goes on without this page.";
      case "connecting":
      case "open":
        break;
    }
    const { retry } = run.state;
    if (!retry) return "";
    const wait = formatDuration(retry.delayMs);
    return `The provider did not answer. Trying again in ${wait} (${retry.attempt} of ${retry.maxRetries}).`;
  });
  const why = useConversation((state) => state.run?.state.retry?.message);
  return (
    <div className="run-line">
      <span className="rill" aria-hidden>
        <i />
        <i />
        <i />
      </span>
      <span className="min-w-0">
        {text}
        {why && text ? <span className="ml-1">{why}</span> : null}
      </span>
    </div>
  );
}
