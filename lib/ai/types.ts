/**
 * The protocol of the model layer: one message format that every wire API is translated to and from.
 * Behaviours are numbered in docs/protocol.md (P-001 …).
 */

import type { Compat } from "./compat.ts";

/** The wire APIs that have an adapter of their own. Any other string is an api that a provider brings along. */
export type KnownApi =
  | "openai-responses"
  | "openai-completions"
  | "anthropic-messages"
  | "google-generative-ai";
export type Api = KnownApi | (string & {});

// ---------------------------------------------------------------------------------------------
// Content blocks

/** A source that a text block rests on: a citation or a grounding reference. Offsets are UTF-16 units into `text`. */
export interface Source {
  url: string;
  title?: string;
  start?: number;
  end?: number;
}

export interface TextContent {
  type: "text";
  text: string;
  /** Opaque to us; goes back unchanged to the model that made it, and to no other. */
  textSignature?: string;
  sources?: Source[];
}

export interface ThinkingContent {
  type: "thinking";
  thinking: string;
  /** Opaque; when `redacted` is true the encrypted payload itself. */
  thinkingSignature?: string;
  redacted?: boolean;
}

/** `data` is base64 without a data-URL prefix. */
export interface ImageContent {
  type: "image";
  data: string;
  mimeType: string;
}

export interface ToolCall {
  type: "toolCall";
  id: string;
  name: string;
  /** Always an object. `{}` with `argumentsError` when the model's text was not a JSON object. */
  arguments: Record<string, unknown>;
  /** Why the complete argument text could not be read; quotes the text. Such a call never runs. */
  argumentsError?: string;
  /** Opaque signature of the call (Google). */
  thoughtSignature?: string;
  namespace?: string;
}

export type AssistantContent = TextContent | ThinkingContent | ToolCall;
export type UserContent = TextContent | ImageContent;

// ---------------------------------------------------------------------------------------------
// Usage

/** US dollars. */
export interface Cost {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
  /** `total` is what the vendor says it billed, not our estimate. */
  totalFromProvider?: boolean;
  /** The model's price is not known: the zeros mean nothing and no cost may be shown (P-410). */
  unpriced?: boolean;
}

/** Tokens. `input` excludes cached and cache-written tokens, `output` includes `reasoning`. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour. */
  cacheWrite1h?: number;
  reasoning?: number;
  totalTokens: number;
  cost: Cost;
  /** The vendor reported nothing: the zeros mean "unknown" (P-410). */
  unreported?: boolean;
}

// ---------------------------------------------------------------------------------------------
// Messages

export type StopReason =
  | "pending"
  | "stop"
  | "length"
  | "toolUse"
  | "error"
  | "aborted"
  | "deferred";
export type DoneReason = "stop" | "length" | "toolUse" | "deferred";
export type ErrorReason = "aborted" | "error";

/** A system message may stand anywhere; the replay of all of them gives the prompt and tools at a point (transcript.ts). */
export interface SystemMessage {
  role: "system";
  content: string | TextContent[];
  /** Named parts of the prompt: a string sets or replaces, null removes. */
  sections?: Record<string, string | null>;
  toolsAdded?: Tool[];
  toolsRemoved?: { name: string }[];
  timestamp: number;
}

export interface UserMessage {
  role: "user";
  content: string | UserContent[];
  timestamp: number;
}

/** Classes of failure; the UI chooses its advice by them (P-406). */
export type ErrorClass =
  | "auth"
  | "rate-limit"
  | "quota"
  | "overloaded"
  | "context-overflow"
  | "content-filter"
  | "invalid-request"
  | "not-found"
  | "network"
  | "timeout"
  | "ended-early"
  | "aborted"
  | "turn-limit"
  | "unknown";

/** Cleaned debug data: no secret, no prompt text. Never sent to a model. */
export interface Diagnostic {
  type: string;
  timestamp: number;
  error?: { name?: string; message: string; code?: string | number };
  details?: {
    class?: ErrorClass;
    status?: number;
    code?: string | number;
    requestId?: string;
    retryAfterMs?: number;
    attempt?: number;
    [key: string]: unknown;
  };
}

/** A durable handle for an answer that is fetched later (P-301). Plain JSON. */
export interface DeferredHandle {
  provider: string;
  modelId: string;
  api: Api;
  id: string;
  expiresAt?: number;
  pollAfterMs?: number;
  data?: Record<string, unknown>;
}

export type ThinkingLevel = "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
export type ReasoningLevel = Exclude<ThinkingLevel, "off">;

export interface AssistantMessage {
  role: "assistant";
  content: AssistantContent[];
  api: Api;
  provider: string;
  /** The model that was asked for. */
  model: string;
  /** What the vendor says answered, when it differs. */
  responseModel?: string;
  responseId?: string;
  thinkingLevel?: ThinkingLevel;
  providerThinkingLevel?: string;
  usage: Usage;
  stopReason: StopReason;
  rawStopReason?: string;
  errorMessage?: string;
  diagnostics?: Diagnostic[];
  deferred?: DeferredHandle;
  /** false: the vendor paused in the middle of its own turn (pause_turn) and wants it sent back as it is. Absent otherwise. */
  endTurn?: boolean;
  /** Images that the model made. */
  images?: ImageContent[];
  /** The vendor's own output items where our blocks alone would lose something; same model only (P-401). */
  native?: { api: Api; items: unknown[] };
  /** Milliseconds from the request to its end, set by the event stream. */
  durationMs?: number;
  /** When the request began, ms since the epoch. */
  timestamp: number;
}

/** A call that a tool made by itself (P-019). */
export interface NestedCalls {
  calls: {
    id: string;
    name: string;
    arguments?: Record<string, unknown>;
    argumentsBytes?: number;
    status: "ok" | "error" | "unfinished";
    durationMs?: number;
    error?: string;
  }[];
  complete: boolean;
}

export interface ToolResultMessage {
  role: "toolResult";
  toolCallId: string;
  toolName: string;
  content: (TextContent | ImageContent)[];
  /** For people and programs; never sent to a model. */
  details?: unknown;
  usage?: Usage;
  nestedCalls?: NestedCalls;
  isError: boolean;
  durationMs?: number;
  timestamp: number;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

// ---------------------------------------------------------------------------------------------
// Tools and context

export type JsonSchema = Record<string, unknown>;

export type ConstrainedSampling =
  | false
  | { type: "json_schema"; strict: "prefer" | "require" }
  | { type: "grammar"; variants: { openai_lark?: string; openai_regex?: string } };

/** What a model is told of a tool. `parameters` is a JSON Schema of an object. */
export interface Tool {
  name: string;
  description: string;
  parameters: JsonSchema;
  constrainedSampling?: ConstrainedSampling;
}

/** What callers pass. */
export interface Context {
  systemPrompt?: string;
  messages: Message[];
  tools?: Tool[];
}

declare const transcript: unique symbol;
/** What providers and adapters get: prompt and tools are folded into system messages. Made by `normalizeContext` only. */
export interface TranscriptContext {
  readonly messages: Message[];
  readonly [transcript]: true;
}

// ---------------------------------------------------------------------------------------------
// Models

/** US dollars per million tokens. */
export interface Prices {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}
export interface ModelCost extends Prices {
  /** The tier with the highest threshold strictly below the prompt's size replaces all four rates. */
  tiers?: (Prices & { inputTokensAbove: number })[];
}

export interface Model<TApi extends Api = Api> {
  /** Absent means a chat model. */
  type?: "chat" | (string & {});
  id: string;
  name: string;
  api: TApi;
  provider: string;
  baseUrl: string;
  reasoning: boolean;
  /** Our level -> the vendor's value; null: not supported; absent: supported under our name (xhigh and max: not supported). */
  thinkingLevelMap?: Partial<Record<ThinkingLevel, string | null>>;
  input: ("text" | "image")[];
  /** Absent: the price is not known. */
  cost?: ModelCost;
  /** Tokens; 0: not known. */
  contextWindow: number;
  /** Tokens; 0: not known. */
  maxTokens: number;
  headers?: Record<string, string | null>;
  samplingParams?: Record<string, unknown>;
  compat?: Compat<TApi>;
}

// ---------------------------------------------------------------------------------------------
// Request options, three layers

export type Headers = Record<string, string | null | undefined>;
export type Env = Record<string, string | undefined>;

/** Told before each wait between two attempts of one request. */
export interface RetryNotice {
  /** The attempt that failed, from 1. */
  attempt: number;
  maxRetries: number;
  delayMs: number;
  status?: number;
  message: string;
}

export interface ProviderRequestOptions {
  signal?: AbortSignal;
  apiKey?: string;
  fetch?: typeof globalThis.fetch;
  /** Overlays the process environment. */
  env?: Env;
  /** The last word over defaults; null removes a header. */
  headers?: Headers;
  /** Limit in ms for the response's head, and for silence between two chunks of its body. */
  timeoutMs?: number;
  /** Retries before the first event; default 2. */
  maxRetries?: number;
  /** A longer wait asked for by the vendor fails at once; default 60000, 0: no limit. */
  maxRetryDelayMs?: number;
  /** A returned value other than undefined replaces the request body. */
  onPayload?: (payload: unknown, model: Model) => unknown | Promise<unknown>;
  onRequest?: (request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    attempt: number;
  }) => void;
  onResponse?: (
    response: { status: number; headers: Record<string, string> },
    model: Model,
  ) => void | Promise<void>;
  onRetry?: (notice: RetryNotice, model: Model) => void;
}

export type CacheRetention = "none" | "short" | "long";

export interface StreamOptions extends ProviderRequestOptions {
  temperature?: number;
  /** The cap of the answer, in tokens. */
  maxTokens?: number;
  transport?: "sse" | "websocket" | "websocket-cached" | "auto";
  cacheRetention?: CacheRetention;
  sessionId?: string;
  metadata?: Record<string, unknown>;
  samplingParams?: Record<string, unknown>;
  /** Every parsed vendor event before it is translated; awaited, read-only. `chunk` counts network chunks from 0. */
  onProviderStreamEvent?: (event: unknown, model: Model, chunk: number) => void | Promise<void>;
}

export type ThinkingBudgets = Partial<Record<ReasoningLevel, number>>;
export type ToolChoice = "auto" | "none";

export interface SimpleStreamOptions extends StreamOptions {
  toolChoice?: ToolChoice;
  reasoning?: ReasoningLevel;
  deferred?: boolean | { window: "15m" | "1h" | "24h" };
  thinkingBudgets?: ThinkingBudgets;
}

// ---------------------------------------------------------------------------------------------
// Events

/**
 * `partial` is the live object, the same one in every event of a response, not a snapshot.
 * `start` comes before any other; every block has start, deltas, end; exactly one of `done` and `error` ends the stream.
 */
export type AssistantMessageEvent =
  | { type: "start"; partial: AssistantMessage }
  | { type: "text_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "text_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "text_end"; contentIndex: number; content: string; partial: AssistantMessage }
  | { type: "thinking_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "thinking_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "thinking_end"; contentIndex: number; content: string; partial: AssistantMessage }
  | { type: "toolcall_start"; contentIndex: number; partial: AssistantMessage }
  | { type: "toolcall_delta"; contentIndex: number; delta: string; partial: AssistantMessage }
  | { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall; partial: AssistantMessage }
  | { type: "done"; reason: DoneReason; message: AssistantMessage }
  | { type: "error"; reason: ErrorReason; error: AssistantMessage };

export type { AssistantMessageEventStream } from "./event-stream.ts";

import type { AssistantMessageEventStream } from "./event-stream.ts";

/**
 * Starts a request and returns its events at once. May throw synchronously only when credentials are missing and it is
 * called directly; once it has returned, every failure is an event.
 */
export type StreamFunction<TOptions extends StreamOptions = SimpleStreamOptions> = (
  model: Model,
  context: TranscriptContext,
  options?: TOptions,
) => AssistantMessageEventStream;

/** What serves one wire API. */
export interface ApiImplementation {
  stream: StreamFunction<StreamOptions & Record<string, unknown>>;
  streamSimple: StreamFunction<SimpleStreamOptions>;
  fetchDeferred?: (
    model: Model,
    handle: DeferredHandle,
    options?: ProviderRequestOptions & { wait?: number },
  ) => AssistantMessageEventStream;
  cancelDeferred?: (
    model: Model,
    handle: DeferredHandle,
    options?: ProviderRequestOptions,
  ) => Promise<void>;
}
