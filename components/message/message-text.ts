import type { AgentMessage } from "@/lib/agent/types";

/** The text of a message as it was written: what Copy copies. */
export function messageText(message: AgentMessage): string {
  if (message.role === "custom") return "";
  if (typeof message.content === "string") return message.content;
  const texts: string[] = [];
  for (const block of message.content) {
    if (block.type === "text" && block.text.trim() !== "") texts.push(block.text);
  }
  return texts.join("\n\n");
}
