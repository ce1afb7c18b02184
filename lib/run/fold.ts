/**
 * A run's state is a fold over its log. Pure: only what changed gets a new reference, so a delta costs the copy of two short
 * arrays of pointers and one string append. An event that was seen already changes nothing, so a reader may be cut off
 * anywhere, come back with the last number it has, and be told things twice.
 */

import type { AgentMessage, AgentToolResult } from "../agent/types";
import type { AssistantContent, RetryNotice, ToolCall, Usage } from "../ai/types";
import type { RunEvent, WireMessageEvent } from "./events";
import { foldToolEvent, pendingRun, settleTools, withCallsOf } from "./fold-tools";

export type ToolState =
  | "pending"
  | "running"
  | "awaiting-approval"
  | "done"
  | "error"
  | "denied"
  | "aborted";

export interface ToolRun {
  toolCallId: string;
  toolName: string;
  args: unknown;
  state: ToolState;
  partialResult?: unknown;
  result?: AgentToolResult;
  durationMs?: number;
}

export interface RunMessage {
  id: string;
  message: AgentMessage;
  complete: boolean;
  /** As it grows; the finished message has its own. */
  usage?: Usage;
  /** Raw JSON text of tool calls that are still open, by content index. */
  argsText?: Record<number, string>;
}

/** Plain JSON, so that it can be written down as it is. */
export interface RunState {
  lastSeq: number;
  status: "running" | "ended";
  /** The server stopped before the run was over. */
  interrupted: boolean;
  messages: RunMessage[];
  tools: Record<string, ToolRun>;
  /** Present while the server waits before it asks the vendor again. */
  retry?: RetryNotice;
  /** Messages that were waiting when the run ended and were not consumed. */
  queued?: AgentMessage[];
}

export function initialRunState(): RunState {
  return { lastSeq: 0, status: "running", interrupted: false, messages: [], tools: {} };
}

export function foldRunEvent(state: RunState, event: RunEvent): RunState {
  if (event.seq <= state.lastSeq) return state;
  return { ...foldNew(state, event), lastSeq: event.seq };
}

function foldNew(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case "message_start": {
      const opened: RunMessage = { id: event.messageId, message: event.message, complete: false };
      return { ...withoutRetry(state), messages: [...state.messages, opened] };
    }
    case "message_update":
      return updateMessage(withoutRetry(state), event);
    case "message_end":
      return endMessage(withoutRetry(state), event.messageId, event.message);
    case "tool_execution_start":
    case "tool_execution_update":
    case "tool_execution_end":
    case "tool_approval_requested":
    case "tool_approval_decided":
      return { ...state, tools: foldToolEvent(state.tools, event) };
    case "provider_retry": {
      const { attempt, maxRetries, delayMs, status, message } = event;
      const retry: RetryNotice = { attempt, maxRetries, delayMs, message };
      if (status !== undefined) retry.status = status;
      return { ...state, retry };
    }
    case "agent_end": {
      const ended: RunState = {
        ...withoutRetry(state),
        status: "ended",
        interrupted: event.interrupted === true,
        tools: settleTools(state.tools),
      };
      if (event.queued?.length) ended.queued = event.queued;
      return ended;
    }
    // Bookkeeping, and types of a newer server: counted, nothing more.
    default:
      return state;
  }
}

function withoutRetry(state: RunState): RunState {
  if (!state.retry) return state;
  const { retry: _over, ...rest } = state;
  return rest;
}

function updateMessage(
  state: RunState,
  event: Extract<RunEvent, { type: "message_update" }>,
): RunState {
  const index = state.messages.findLastIndex((entry) => entry.id === event.messageId);
  const entry = state.messages[index];
  if (!entry || entry.complete) return state;
  const messages = state.messages.slice();
  messages[index] = foldUpdate(entry, event.assistantMessageEvent, event.usage);
  if (event.assistantMessageEvent.type !== "toolcall_end") return { ...state, messages };
  const { toolCall } = event.assistantMessageEvent;
  // A host that counts its ids anew in every answer must not take the state of an earlier call.
  if (Object.hasOwn(state.tools, toolCall.id)) return { ...state, messages };
  return { ...state, messages, tools: { ...state.tools, [toolCall.id]: pendingRun(toolCall) } };
}

function endMessage(state: RunState, id: string, message: AgentMessage): RunState {
  const ended: RunMessage = { id, message, complete: true };
  const index = state.messages.findLastIndex((entry) => entry.id === id);
  const messages = state.messages.slice();
  if (index === -1) messages.push(ended);
  else messages[index] = ended;
  return { ...state, messages, tools: withCallsOf(state.tools, message) };
}

function foldUpdate(
  entry: RunMessage,
  event: WireMessageEvent,
  usage: Usage | undefined,
): RunMessage {
  if (entry.message.role !== "assistant") return entry;
  const next: RunMessage = usage ? { ...entry, usage } : { ...entry };
  const { message } = entry;
  const setBlock = (index: number, block: AssistantContent): void => {
    const content = message.content.slice();
    while (content.length < index) content.push({ type: "text", text: "" });
    content[index] = block;
    next.message = { ...message, content };
  };
  switch (event.type) {
    case "text_start":
      setBlock(event.contentIndex, { type: "text", text: "" });
      break;
    case "text_delta":
      setBlock(event.contentIndex, {
        type: "text",
        text: textAt(message.content, event.contentIndex) + event.delta,
      });
      break;
    case "text_end":
      setBlock(event.contentIndex, { type: "text", text: event.content });
      break;
    case "thinking_start":
      setBlock(event.contentIndex, { type: "thinking", thinking: "" });
      break;
    case "thinking_delta":
      setBlock(event.contentIndex, {
        type: "thinking",
        thinking: textAt(message.content, event.contentIndex) + event.delta,
      });
      break;
    case "thinking_end":
      setBlock(event.contentIndex, { type: "thinking", thinking: event.content });
      break;
    case "toolcall_start": {
      const call: ToolCall = { type: "toolCall", id: event.id, name: event.name, arguments: {} };
      setBlock(event.contentIndex, call);
      next.argsText = { ...entry.argsText, [event.contentIndex]: "" };
      break;
    }
    case "toolcall_delta": {
      const text = (entry.argsText?.[event.contentIndex] ?? "") + event.delta;
      next.argsText = { ...entry.argsText, [event.contentIndex]: text };
      break;
    }
    case "toolcall_end": {
      setBlock(event.contentIndex, event.toolCall);
      const { [event.contentIndex]: _closed, ...open } = entry.argsText ?? {};
      if (Object.keys(open).length > 0) next.argsText = open;
      else delete next.argsText;
      break;
    }
    case "start":
      break;
  }
  return next;
}

function textAt(content: AssistantContent[], index: number): string {
  const block = content[index];
  if (block?.type === "text") return block.text;
  return block?.type === "thinking" ? block.thinking : "";
}
