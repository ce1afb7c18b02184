/**
 * The log of a run: what the server writes, the browser folds and the inspector reads. Every event has a number, from 1
 * without gaps, and a time. It never holds `partial`; `message_end` holds the whole final message and is authoritative.
 */

import type { AgentEvent, AgentMessage } from "../agent/types.ts";
import type { AssistantMessageEvent, RetryNotice, Usage } from "../ai/types.ts";

type WithoutPartial<T> = T extends { partial: unknown } ? Omit<T, "partial"> : T;

/** A model event as it goes over the wire. A late reader must be able to name the call, so `toolcall_start` says id and name. */
export type WireMessageEvent =
  | Exclude<WithoutPartial<AssistantMessageEvent>, { type: "toolcall_start" | "done" | "error" }>
  | { type: "toolcall_start"; contentIndex: number; id: string; name: string };

type MessageRunEvent =
  | { type: "message_start"; messageId: string; message: AgentMessage }
  | {
      type: "message_update";
      messageId: string;
      assistantMessageEvent: WireMessageEvent;
      /** Usage as it grows, on the update that brings it. */
      usage?: Usage;
    }
  | { type: "message_end"; messageId: string; message: AgentMessage };

/** With `record: "wire"` the log holds these too. `attempt` counts from 1; a retry is a new attempt in the same turn. */
type ProviderRecord =
  | {
      type: "provider_request";
      turn: number;
      attempt: number;
      method: string;
      url: string;
      headers: Record<string, string>;
      payload?: unknown;
    }
  | {
      type: "provider_response";
      turn: number;
      attempt: number;
      status: number;
      headers: Record<string, string>;
    }
  | { type: "provider_event"; turn: number; attempt: number; chunk: number; event: unknown };

/** Things that are told beside the agent's own events. */
type RunRecord =
  | ({ type: "provider_retry"; turn: number } & RetryNotice)
  | { type: "tool_approval_requested"; toolCallId: string; toolName: string; args: unknown }
  | {
      type: "tool_approval_decided";
      toolCallId: string;
      decision: "allow" | "deny";
      reason?: string;
    }
  | { type: "context_transformed"; omitted: number; changed: number };

/** What happened, before it is numbered. */
export type RunEventBody =
  | Exclude<AgentEvent, { type: "message_start" | "message_update" | "message_end" | "agent_end" }>
  /** `interrupted`: the server stopped before the run was over. */
  | (Extract<AgentEvent, { type: "agent_end" }> & { interrupted?: boolean })
  | MessageRunEvent
  | ProviderRecord
  | RunRecord;

/** `seq` from 1; `t` in milliseconds since the run began, monotonic; `cause` is the seq of the provider event behind a message record. */
export type RunEvent = { seq: number; t: number; cause?: number } & RunEventBody;
