import type { AgentEvent, AgentMessage } from "../agent/types";
import type { AssistantMessage, AssistantMessageEvent, Usage } from "../ai/types";
import { assertNever } from "./assert-never";
import type { RunEventBody, WireMessageEvent } from "./events";

const usageFields = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "cacheWrite1h",
  "reasoning",
  "totalTokens",
] as const;

/**
 * Turns the events of one agent run into what its log holds. Messages get ids, `partial` goes, a tool call is named from
 * its start, and usage is told on the update that brings it.
 *
 * The live partial runs ahead of the events that describe it, so nothing is ever copied from it but the usage and the name
 * of a call; a message starts empty on the log and grows by its events alone.
 */
export class RunRecorder {
  private messageId = "";
  private lastUsage: Usage | undefined;

  /** @param idOf the id that a message has already, if any; else one is made */
  constructor(
    private readonly idOf: (message: AgentMessage) => string | undefined = () => undefined,
  ) {}

  /** The log's form of an event, or undefined for one that the log does not hold (a response's own start, done and error). */
  record(event: AgentEvent): RunEventBody | undefined {
    switch (event.type) {
      case "message_start":
        this.messageId = this.idOf(event.message) ?? crypto.randomUUID();
        this.lastUsage = undefined;
        return {
          type: "message_start",
          messageId: this.messageId,
          message: withoutContent(event.message),
        };
      case "message_update":
        return this.update(event.assistantMessageEvent);
      case "message_end":
        return { type: "message_end", messageId: this.messageId, message: event.message };
      case "agent_start":
      case "agent_end":
      case "turn_start":
      case "turn_end":
      case "tool_execution_start":
      case "tool_execution_update":
      case "tool_execution_end":
        return event;
      default:
        return assertNever(event);
    }
  }

  private update(event: AssistantMessageEvent): RunEventBody | undefined {
    const wireEvent = toWire(event);
    if (!wireEvent) return undefined;
    const body: RunEventBody = {
      type: "message_update",
      messageId: this.messageId,
      assistantMessageEvent: wireEvent,
    };
    const usage = "partial" in event ? this.grownUsage(event.partial.usage) : undefined;
    if (usage) body.usage = usage;
    return body;
  }

  private grownUsage(usage: Usage): Usage | undefined {
    const last = this.lastUsage;
    if (!usageFields.some((field) => (usage[field] ?? 0) !== (last?.[field] ?? 0)))
      return undefined;
    this.lastUsage = { ...usage, cost: { ...usage.cost } };
    return this.lastUsage;
  }
}

function withoutContent(message: AgentMessage): AgentMessage {
  if (message.role !== "assistant") return message;
  const empty: AssistantMessage = { ...message, content: [], stopReason: "pending" };
  delete empty.errorMessage;
  delete empty.diagnostics;
  delete empty.durationMs;
  delete empty.native;
  delete empty.images;
  return empty;
}

function toWire(event: AssistantMessageEvent): WireMessageEvent | undefined {
  const { contentIndex } = event as { contentIndex: number };
  switch (event.type) {
    case "start":
    case "done":
    case "error":
      return undefined;
    case "text_start":
    case "thinking_start":
      return { type: event.type, contentIndex };
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return { type: event.type, contentIndex, delta: event.delta };
    case "text_end":
    case "thinking_end":
      return { type: event.type, contentIndex, content: event.content };
    case "toolcall_start": {
      const call = event.partial.content[contentIndex];
      const named = call?.type === "toolCall" ? call : { id: "", name: "" };
      return { type: event.type, contentIndex, id: named.id, name: named.name };
    }
    case "toolcall_end":
      return { type: event.type, contentIndex, toolCall: event.toolCall };
    default:
      return assertNever(event);
  }
}
