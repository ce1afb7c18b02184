/** The types of the agent loop. It knows the model layer, and nothing of HTTP, React or storage. */

import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  ImageContent,
  Message,
  Model,
  SimpleStreamOptions,
  StopReason,
  TextContent,
  ThinkingLevel,
  Tool,
  ToolCall,
  ToolResultMessage,
  TranscriptContext,
  Usage,
} from "../ai/types.ts";

/** A message of an app's own beside those that a model knows; `convertToLlm` drops or translates it. */
export interface CustomMessage {
  role: "custom";
  kind: string;
  data: unknown;
  timestamp: number;
}

export type AgentMessage = Message | CustomMessage;

export type ToolContent = (TextContent | ImageContent)[];

export interface AgentToolResult {
  content: ToolContent;
  /** For people and programs: a card shows it. Never sent to a model. */
  details?: unknown;
  isError?: boolean;
  usage?: Usage;
  /** For programs that called the tool; not copied into the message. */
  structuredContent?: unknown;
  /** Ends the run when every result of the batch says so (L-063). */
  terminate?: boolean;
}

export type ToolUpdate = (partial: Partial<AgentToolResult> & { state?: string }) => void;

/** A tool that the loop can run. `execute` gets validated arguments and a signal that it must heed. */
export interface AgentTool extends Tool {
  /** What people read on its card. */
  label: string;
  /** "sequential": no other call of the same message runs beside it. */
  execution?: "parallel" | "sequential";
  /** Limit of one execution in ms; default 120000, 0: none. */
  timeoutMs?: number;
  /** Longest text sent to the model, in characters; default 50000 (L-136). */
  maxOutputChars?: number;
  /** Runs before validation; a throw becomes the call's error result. */
  prepareArguments?: (args: Record<string, unknown>) => Record<string, unknown>;
  execute: (
    toolCallId: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    onUpdate: ToolUpdate,
  ) => Promise<AgentToolResult>;
}

export type AgentEvent =
  | { type: "agent_start" }
  | { type: "agent_end"; messages: AgentMessage[]; queued?: AgentMessage[] }
  | { type: "turn_start" }
  | { type: "turn_end"; message: AgentMessage; toolResults: ToolResultMessage[] }
  | { type: "message_start"; message: AgentMessage }
  | { type: "message_update"; message: AgentMessage; assistantMessageEvent: AssistantMessageEvent }
  | { type: "message_end"; message: AgentMessage }
  | { type: "tool_execution_start"; toolCallId: string; toolName: string; args: unknown }
  | {
      type: "tool_execution_update";
      toolCallId: string;
      toolName: string;
      args: unknown;
      partialResult: unknown;
    }
  | {
      type: "tool_execution_end";
      toolCallId: string;
      toolName: string;
      result: AgentToolResult;
      isError: boolean;
      durationMs?: number;
    };

export type AgentEventSink = (event: AgentEvent) => void | Promise<void>;

/** Same shape as the model layer's stream function; a promise of a stream is fine too (L-068). */
export type StreamFn = (
  model: Model,
  context: TranscriptContext,
  options?: SimpleStreamOptions,
) => AssistantMessageEventStream | Promise<AssistantMessageEventStream>;

export interface AgentContext {
  messages: AgentMessage[];
  tools: AgentTool[];
}

export interface TurnSummary {
  message: AssistantMessage;
  toolResults: ToolResultMessage[];
  stopReason: StopReason;
  context: AgentContext;
}

export interface BeforeToolCall {
  assistantMessage: AssistantMessage;
  toolCall: ToolCall;
  args: Record<string, unknown>;
  context: AgentContext;
}
export interface BeforeToolCallDecision {
  block?: boolean;
  reason?: string;
  terminate?: boolean;
}
export interface AfterToolCall extends BeforeToolCall {
  result: AgentToolResult;
  isError: boolean;
}

export interface RequestSetup {
  context: AgentContext;
  model: Model;
  thinkingLevel: ThinkingLevel;
}

/** What a run of the loop is made of: the model, stream options, hooks and limits. */
export interface AgentLoopConfig {
  model: Model;
  thinkingLevel?: ThinkingLevel;
  streamFn: StreamFn;
  /** Passed on with each request. The loop adds key, signal and reasoning, and nothing of its own config (L-067). */
  streamOptions?: Omit<SimpleStreamOptions, "signal" | "reasoning">;
  apiKey?: string;
  toolExecution?: "parallel" | "sequential";
  /** Model requests in one run; default 50 (L-130). */
  maxTurns?: number;
  /** A call that the model asks for in so many turns, success or not, ends the run; default 8. */
  maxRepeatedCalls?: number;
  /** How long a tool or a stream may take to give up once it is aborted, in ms; default 500 (L-131). */
  abortGraceMs?: number;

  convertToLlm?: (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  transformContext?: (
    messages: AgentMessage[],
    signal: AbortSignal,
  ) => AgentMessage[] | Promise<AgentMessage[]>;
  getApiKey?: (provider: string) => string | undefined | Promise<string | undefined>;
  getSteeringMessages?: () => AgentMessage[] | Promise<AgentMessage[]>;
  getFollowUpMessages?: () => AgentMessage[] | Promise<AgentMessage[]>;
  /** Read, not drained: what is still waiting when a run ends, told with agent_end. */
  peekQueued?: () => AgentMessage[];
  prepareNextTurn?: (
    turn: TurnSummary,
  ) =>
    | (Partial<RequestSetup> & { messages?: AgentMessage[] })
    | undefined
    | Promise<(Partial<RequestSetup> & { messages?: AgentMessage[] }) | undefined>;
  prepareRequest?: (
    setup: RequestSetup,
    signal: AbortSignal,
  ) => Partial<RequestSetup> | undefined | Promise<Partial<RequestSetup> | undefined>;
  finishTurn?: (
    turn: TurnSummary,
    signal: AbortSignal,
  ) => "continue" | "end" | undefined | Promise<"continue" | "end" | undefined>;
  beforeToolCall?: (
    call: BeforeToolCall,
    signal: AbortSignal,
    onUpdate: ToolUpdate,
  ) => BeforeToolCallDecision | undefined | Promise<BeforeToolCallDecision | undefined>;
  afterToolCall?: (
    call: AfterToolCall,
    signal: AbortSignal,
  ) => Partial<AgentToolResult> | undefined | Promise<Partial<AgentToolResult> | undefined>;
}
