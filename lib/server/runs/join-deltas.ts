import type { RunEventBody, WireMessageEvent } from "@/lib/run/events";

type Delta = Extract<WireMessageEvent, { delta: string }>;

/** Characters that a piece of text, thinking or arguments brings; undefined for any other event. */
export function deltaLength(body: RunEventBody): number | undefined {
  return deltaOf(body)?.delta.length;
}

/**
 * One event for two that follow each other in the same block of the same message, such that the fold of it equals the
 * fold of both; undefined where there is none.
 */
export function joinDeltas(first: RunEventBody, second: RunEventBody): RunEventBody | undefined {
  if (first.type !== "message_update" || second.type !== "message_update") return undefined;
  const [begin, rest] = [deltaOf(first), deltaOf(second)];
  if (!begin || !rest || first.messageId !== second.messageId) return undefined;
  if (begin.type !== rest.type || begin.contentIndex !== rest.contentIndex) return undefined;
  const assistantMessageEvent: Delta = { ...begin, delta: begin.delta + rest.delta };
  const usage = second.usage ?? first.usage;
  return { ...first, assistantMessageEvent, ...(usage ? { usage } : {}) };
}

function deltaOf(body: RunEventBody): Delta | undefined {
  if (body.type !== "message_update") return undefined;
  const event = body.assistantMessageEvent;
  return "delta" in event ? event : undefined;
}
