import type { AgentEvent, AgentMessage } from "../types.ts";

/**
 * Events in short: `M(user)` a message's start and end with one and the same object, `MS`/`ME(reason)` an answer's,
 * `MU*3` three updates in a row, `XS/XU/XE(id)` a tool's, `!` an error, `TE(results)`, `AE(messages)`.
 */
export function eventNames(events: AgentEvent[]): string {
  const names: string[] = [];
  events.forEach((event, index) => {
    const before = events[index - 1];
    if (event.type === "message_update") {
      const updates = /^MU\*(\d+)$/.exec(names.at(-1) ?? "")?.[1] ?? "0";
      if (updates !== "0") names.pop();
      names.push(`MU*${Number(updates) + 1}`);
    } else if (event.type === "message_end" && event.message.role !== "assistant") {
      const isPair = before?.type === "message_start" && before.message === event.message;
      names.push(`${isPair ? "M" : "ME without its MS"}(${messageName(event.message)})`);
    } else if (event.type !== "message_start" || event.message.role === "assistant") {
      names.push(eventName(event));
    }
  });
  return names.join(" ");
}

function eventName(event: AgentEvent): string {
  switch (event.type) {
    case "agent_start":
      return "AS";
    case "agent_end":
      return `AE(${event.messages.length})`;
    case "turn_start":
      return "TS";
    case "turn_end":
      return `TE(${event.toolResults.length})`;
    case "message_start":
      return "MS";
    case "message_update":
      return "MU";
    case "message_end":
      return `ME(${messageName(event.message)})`;
    case "tool_execution_start":
      return `XS(${event.toolCallId})`;
    case "tool_execution_update":
      return `XU(${event.toolCallId})`;
    case "tool_execution_end":
      return `XE${event.isError ? "!" : ""}(${event.toolCallId})`;
  }
}

function messageName(message: AgentMessage): string {
  if (message.role === "toolResult") {
    return `result${message.isError ? "!" : ""} ${message.toolCallId}`;
  }
  return message.role === "assistant" ? message.stopReason : message.role;
}
