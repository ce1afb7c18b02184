import type { ToolResultMessage } from "@/lib/ai/types";
import { toolTitle } from "../tools/tool-source";
import { messageText } from "./message-text";

/** A tool's result whose call is not in the conversation, as in one that was cut before it was imported. */
export function OrphanResult({ id, message }: { id: string; message: ToolResultMessage }) {
  return (
    <article
      id={`m-${id}`}
      data-entry-id={id}
      data-role="toolResult"
      aria-label="Tool result"
      className="message"
    >
      <p className="message-note">Result of {toolTitle(message.toolName)}</p>
      <pre className={message.isError ? "tool-preview tool-error" : "tool-preview"} dir="auto">
        {messageText(message)}
      </pre>
    </article>
  );
}
