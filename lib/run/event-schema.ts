/**
 * What a reader of the log relies on, checked at the border. Cheap on purpose: the envelope, the discriminator and the
 * fields that the fold reads; everything else passes as it is.
 */

import * as z from "zod/mini";
import type { RunEvent } from "./events";

// Compiled validators need `new Function`, which a page's content security policy forbids.
if (typeof window !== "undefined") z.config({ jitless: true });

const role = z.enum(["system", "user", "assistant", "toolResult", "custom"]);
const message = z.looseObject({ role, timestamp: z.number() });
const assistantMessage = z.looseObject({
  role: z.literal("assistant"),
  content: z.array(z.looseObject({ type: z.enum(["text", "thinking", "toolCall"]) })),
  stopReason: z.string(),
  timestamp: z.number(),
});
const anyMessage = z.union([
  assistantMessage,
  z.looseObject({
    role: z.enum(["system", "user", "toolResult", "custom"]),
    timestamp: z.number(),
  }),
]);

const contentIndex = z.int().check(z.gte(0), z.lt(10_000));
const start = { contentIndex };
const delta = { contentIndex, delta: z.string() };
const end = { contentIndex, content: z.string() };
const messageEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("start") }),
  z.looseObject({ type: z.literal("text_start"), ...start }),
  z.looseObject({ type: z.literal("text_delta"), ...delta }),
  z.looseObject({ type: z.literal("text_end"), ...end }),
  z.looseObject({ type: z.literal("thinking_start"), ...start }),
  z.looseObject({ type: z.literal("thinking_delta"), ...delta }),
  z.looseObject({ type: z.literal("thinking_end"), ...end }),
  z.looseObject({ type: z.literal("toolcall_start"), ...start, id: z.string(), name: z.string() }),
  z.looseObject({ type: z.literal("toolcall_delta"), ...delta }),
  z.looseObject({
    type: z.literal("toolcall_end"),
    contentIndex,
    toolCall: z.looseObject({
      type: z.literal("toolCall"),
      id: z.string(),
      name: z.string(),
      arguments: z.record(z.string(), z.unknown()),
    }),
  }),
]);

const usage = z.looseObject({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  totalTokens: z.number(),
  cost: z.looseObject({ total: z.number() }),
});

const envelope = { seq: z.int().check(z.gte(1)), t: z.number(), cause: z.optional(z.int()) };
const messageId = z.string();
const toolCallId = z.string();
const toolName = z.string();

const knownEvents = {
  agent_start: {},
  agent_end: {
    messages: z.array(message),
    queued: z.optional(z.array(message)),
    interrupted: z.optional(z.boolean()),
  },
  turn_start: {},
  turn_end: {},
  message_start: { messageId, message: anyMessage },
  message_update: { messageId, assistantMessageEvent: messageEvent, usage: z.optional(usage) },
  message_end: { messageId, message: anyMessage },
  tool_execution_start: { toolCallId, toolName },
  tool_execution_update: { toolCallId, toolName },
  tool_execution_end: {
    toolCallId,
    toolName,
    isError: z.boolean(),
    result: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
    durationMs: z.optional(z.number()),
  },
  provider_request: {},
  provider_response: {},
  provider_event: {},
  provider_retry: {
    attempt: z.number(),
    maxRetries: z.number(),
    delayMs: z.number(),
    message: z.string(),
    status: z.optional(z.number()),
  },
  tool_approval_requested: { toolCallId, toolName },
  tool_approval_decided: { toolCallId, decision: z.enum(["allow", "deny"]) },
  context_transformed: {},
} satisfies Record<RunEvent["type"], Record<string, z.ZodMiniType>>;

const schemas = new Map<string, z.ZodMiniType>(
  Object.entries(knownEvents).map(([type, fields]) => [
    type,
    z.looseObject({ type: z.literal(type), ...envelope, ...fields }),
  ]),
);
const unknownEvent = z.looseObject({ type: z.string(), ...envelope });

/**
 * One event of the log from its JSON text. A type that this version does not know passes with its envelope checked; the
 * fold counts it and changes nothing else.
 * @throws Error that names the field at fault
 */
export function parseRunEvent(json: string): RunEvent {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error("An event of the run is not JSON.");
  }
  const type =
    typeof value === "object" && value !== null ? (value as { type?: unknown }).type : "";
  const schema = schemas.get(String(type)) ?? unknownEvent;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as RunEvent;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") || "event";
  throw new Error(
    `An event of the run (${String(type) || "no type"}) has a wrong field: ${field}.`,
  );
}
