import * as z from "zod";
import type { AgentMessage } from "../agent/types";
import type { Model, SimpleStreamOptions, ThinkingLevel, Tool } from "../ai/types";

export type ToolMode = "auto" | "ask" | "off";

/** A model of the catalog. */
export interface ModelRef {
  provider: string;
  id: string;
}

/** Options of a request that a person may set. Keys, hooks and anything with a function stay on the server. */
export type RunOptions = Pick<
  SimpleStreamOptions,
  | "temperature"
  | "maxTokens"
  | "cacheRetention"
  | "sessionId"
  | "metadata"
  | "samplingParams"
  | "thinkingBudgets"
  | "toolChoice"
  | "timeoutMs"
  | "maxRetries"
  | "maxRetryDelayMs"
  | "transport"
  | "deferred"
>;

/** The body of `POST /api/runs`. */
export interface RunRequest {
  runId: string;
  model: ModelRef | Model;
  thinkingLevel: ThinkingLevel;
  context: {
    systemPrompt?: string;
    messages: AgentMessage[];
    /** Tools that run in the browser; the server's own are named in `tools`. */
    tools?: Tool[];
  };
  options?: RunOptions;
  /** What each tool may do. One that is not named is off. */
  tools?: Record<string, ToolMode>;
  record?: "agent" | "wire";
}

/** Limits of a request. Sizes in characters. */
export const runRequestLimits = {
  /** Of the whole body, in bytes. */
  bodyBytes: 64 * 1024 * 1024,
  messages: 20_000,
  tools: 256,
  systemPrompt: 4_000_000,
} as const;

/** Ids are chosen by the browser; these are safe in an address, a file name and a Redis key. */
export const runIdPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{7,63}$/;

const text = z.looseObject({ type: z.literal("text"), text: z.string() });
const image = z.looseObject({
  type: z.literal("image"),
  data: z.string(),
  mimeType: z.string().min(1).max(200),
});
const thinking = z.looseObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  thinkingSignature: z.string().optional(),
  redacted: z.boolean().optional(),
});
const toolCall = z.looseObject({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
const tool = z.looseObject({
  name: z.string().min(1).max(200),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
const timestamp = z.number();

const cost = z.looseObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  total: z.number(),
});
const usage = z.looseObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  totalTokens: z.number(),
  cost,
});

const systemMessage = z.looseObject({
  role: z.literal("system"),
  content: z.union([z.string(), z.array(text)]),
  sections: z.record(z.string(), z.string().nullable()).optional(),
  toolsAdded: z.array(tool).optional(),
  toolsRemoved: z.array(z.looseObject({ name: z.string() })).optional(),
  timestamp,
});
const userMessage = z.looseObject({
  role: z.literal("user"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image]))]),
  timestamp,
});
const assistantMessage = z.looseObject({
  role: z.literal("assistant"),
  content: z.array(z.discriminatedUnion("type", [text, thinking, toolCall])),
  api: z.string(),
  provider: z.string(),
  model: z.string(),
  usage,
  stopReason: z.enum(["pending", "stop", "length", "toolUse", "error", "aborted", "deferred"]),
  timestamp,
});
const toolResultMessage = z.looseObject({
  role: z.literal("toolResult"),
  toolCallId: z.string(),
  toolName: z.string(),
  content: z.array(z.discriminatedUnion("type", [text, image])),
  isError: z.boolean(),
  timestamp,
});
const customMessage = z.looseObject({
  role: z.literal("custom"),
  kind: z.string(),
  data: z.unknown(),
  timestamp,
});
const message = z.discriminatedUnion("role", [
  systemMessage,
  userMessage,
  assistantMessage,
  toolResultMessage,
  customMessage,
]);

const thinkingLevel = z.enum(["off", "minimal", "low", "medium", "high", "xhigh", "max"]);
const id = z.string().min(1).max(300);
const modelRef = z.strictObject({ provider: id, id });
const headers = z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/), z.string().nullable());
const customModel = z.looseObject({
  id,
  name: z.string().max(300),
  api: id,
  provider: id,
  baseUrl: z.url({ protocol: /^https?$/ }).max(2000),
  reasoning: z.boolean(),
  input: z.array(z.enum(["text", "image"])),
  contextWindow: z.number().nonnegative(),
  maxTokens: z.number().nonnegative(),
  headers: headers.optional(),
  samplingParams: z.record(z.string(), z.unknown()).optional(),
  compat: z.record(z.string(), z.unknown()).optional(),
});

const positive = z.number().positive();
const count = z.int().nonnegative();
const options = z.strictObject({
  temperature: z.number().min(0).max(10).optional(),
  maxTokens: z.int().positive().optional(),
  cacheRetention: z.enum(["none", "short", "long"]).optional(),
  sessionId: z.string().max(200).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  samplingParams: z.record(z.string(), z.unknown()).optional(),
  thinkingBudgets: z.record(z.string(), count).optional(),
  toolChoice: z.enum(["auto", "none"]).optional(),
  timeoutMs: positive.max(3_600_000).optional(),
  maxRetries: count.max(20).optional(),
  maxRetryDelayMs: count.optional(),
  transport: z.enum(["sse", "websocket", "websocket-cached", "auto"]).optional(),
  deferred: z
    .union([z.boolean(), z.strictObject({ window: z.enum(["15m", "1h", "24h"]) })])
    .optional(),
});

const envelope = z.object({
  runId: z.string().regex(runIdPattern, "must be 8 to 64 letters, digits, - or _"),
  model: z.unknown(),
  thinkingLevel: thinkingLevel.default("off"),
  context: z.object({
    systemPrompt: z.string().max(runRequestLimits.systemPrompt).optional(),
    messages: z.array(message).min(1).max(runRequestLimits.messages),
    tools: z.array(tool).max(runRequestLimits.tools).optional(),
  }),
  options: options.optional(),
  tools: z.record(z.string().max(200), z.enum(["auto", "ask", "off"])).optional(),
  record: z.enum(["agent", "wire"]).optional(),
});

const runMessage = z.object({
  id: z.string().regex(runIdPattern, "must be 8 to 64 letters, digits, - or _").optional(),
  message: userMessage,
  mode: z.enum(["steer", "followUp"]),
});
const toolAnswer = z.union([
  z.strictObject({
    decision: z.enum(["allow", "deny"]),
    reason: z.string().max(4000).optional(),
    always: z.boolean().optional(),
  }),
  z.strictObject({
    result: z.object({
      content: z.array(z.discriminatedUnion("type", [text, image])),
      isError: z.boolean().optional(),
      details: z.unknown().optional(),
    }),
  }),
]);

/** The body of `POST /api/runs/{runId}/messages`. */
export interface RunMessageRequest {
  /** Chosen by the sender: sent twice, it is taken once, and it is the message's id on the log. */
  id?: string;
  message: Extract<AgentMessage, { role: "user" }>;
  mode: "steer" | "followUp";
}
/** The body of `POST /api/runs/{runId}/tools/{toolCallId}`. */
export type ToolAnswer =
  /** `always`: the tool does not ask again during the run. */
  | { decision: "allow" | "deny"; reason?: string; always?: boolean }
  | { result: { content: ToolAnswerContent; isError?: boolean; details?: unknown } };
type ToolAnswerContent = Extract<AgentMessage, { role: "toolResult" }>["content"];

/** A body that breaks its schema. `field` is the path of the first fault, such as `context.messages.2.role`. */
export class InvalidRequestError extends Error {
  constructor(
    message: string,
    readonly field: string,
  ) {
    super(message);
    this.name = "InvalidRequestError";
  }
}

/** @throws InvalidRequestError */
export function parseRunRequest(body: unknown): RunRequest {
  const request = parse(envelope, body);
  const whole = typeof request.model === "object" && request.model && "baseUrl" in request.model;
  const model = parse(whole ? customModel : modelRef, request.model, "model");
  return { ...request, model } as RunRequest;
}

/** @throws InvalidRequestError */
export function parseRunMessage(body: unknown): RunMessageRequest {
  return parse(runMessage, body) as RunMessageRequest;
}

/** @throws InvalidRequestError */
export function parseToolAnswer(body: unknown): ToolAnswer {
  return parse(toolAnswer, body) as ToolAnswer;
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  under?: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const { path, message: what } = deepest(parsed.error.issues);
  const field = [...(under ? [under] : []), ...path.map(String)].join(".") || "body";
  throw new InvalidRequestError(`${field}: ${what}`, field);
}

interface Issue {
  path: PropertyKey[];
  message: string;
  code?: string;
  keys?: string[];
  errors?: Issue[][];
}

/** A union fails as a whole; the branch that got furthest says what the sender meant. */
function deepest(issues: readonly z.core.$ZodIssue[]): { path: PropertyKey[]; message: string } {
  const issue = issues[0] as unknown as Issue;
  const branches = (issue.errors ?? []).flat();
  const best = branches.reduce<Issue | undefined>(
    (found, next) => (next.path.length > (found?.path.length ?? 0) ? next : found),
    undefined,
  );
  if (best) return { path: [...issue.path, ...best.path], message: best.message };
  if (issue.code === "unrecognized_keys" && issue.keys?.[0]) {
    return { path: [...issue.path, issue.keys[0]], message: issue.message };
  }
  return { path: issue.path, message: issue.message };
}
