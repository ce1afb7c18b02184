import type { Message } from "../ai/types.ts";
import type { AgentMessage } from "./types.ts";

/** The messages that a model knows; an app's own are left out. What `convertToLlm` does unless the app has its own. */
export function toLlmMessages(messages: AgentMessage[]): Message[] {
  return messages.filter((message): message is Message => message.role !== "custom");
}
