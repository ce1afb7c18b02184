import type { AgentMessage } from "@/lib/agent/types";
import type { AssistantContent, AssistantMessage, StopReason } from "@/lib/ai/types";
import { emptyUsage } from "@/lib/ai/usage";
import type { RunEvent, RunEventBody, WireMessageEvent } from "@/lib/run/events";

export function assistantMessage(
  content: AssistantContent[],
  stopReason: StopReason = "stop",
): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: "demo",
    provider: "demo",
    model: "demo-1",
    usage: emptyUsage(),
    stopReason,
    timestamp: 1_700_000_001_000,
  };
}

/** Numbers events from 1. */
export function numbered(bodies: RunEventBody[], firstSeq = 1): RunEvent[] {
  return bodies.map((body, index) => ({ seq: firstSeq + index, t: index * 10, ...body }));
}

/** The records of one answer of text, a few characters per delta. */
export function textAnswer(messageId: string, text: string): RunEventBody[] {
  const update = (assistantMessageEvent: WireMessageEvent): RunEventBody => ({
    type: "message_update",
    messageId,
    assistantMessageEvent,
  });
  return [
    { type: "message_start", messageId, message: assistantMessage([], "pending") },
    update({ type: "start" }),
    update({ type: "text_start", contentIndex: 0 }),
    ...(text.match(/.{1,3}/gsu) ?? []).map((delta) =>
      update({ type: "text_delta", contentIndex: 0, delta }),
    ),
    update({ type: "text_end", contentIndex: 0, content: text }),
    { type: "message_end", messageId, message: assistantMessage([{ type: "text", text }]) },
  ];
}

/** A whole run that answers with text. */
export function textRun(messageId: string, text: string): RunEvent[] {
  return numbered([
    { type: "agent_start" },
    { type: "turn_start" },
    ...textAnswer(messageId, text),
    { type: "turn_end", message: assistantMessage([{ type: "text", text }]), toolResults: [] },
    { type: "agent_end", messages: [] },
  ]);
}

/** A run of two turns: thinking, two calls of tools that run side by side, their results, and text. */
export function toolRun(id: string): RunEvent[] {
  const calls = [
    {
      type: "toolCall" as const,
      id: `${id}-c1`,
      name: "calculate",
      arguments: { expression: "6*7" },
    },
    { type: "toolCall" as const, id: `${id}-c2`, name: "get_current_time", arguments: {} },
  ];
  const first = assistantMessage(
    [{ type: "thinking", thinking: "Two tools at once." }, ...calls],
    "toolUse",
  );
  const results = calls.map((call, index) => ({
    role: "toolResult" as const,
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text" as const, text: `result ${index}` }],
    isError: index === 1,
    timestamp: 1_700_000_002_000 + index,
  }));
  const messageId = `${id}-a1`;
  const update = (assistantMessageEvent: WireMessageEvent): RunEventBody => ({
    type: "message_update",
    messageId,
    assistantMessageEvent,
  });
  const message = (messageId: string, message: AgentMessage): RunEventBody[] => [
    { type: "message_start", messageId, message },
    { type: "message_end", messageId, message },
  ];
  const [resultOne, resultTwo] = results;
  if (!resultOne || !resultTwo) throw new Error("two results");
  return numbered([
    { type: "agent_start" },
    { type: "turn_start" },
    { type: "message_start", messageId, message: assistantMessage([], "pending") },
    update({ type: "thinking_start", contentIndex: 0 }),
    update({ type: "thinking_delta", contentIndex: 0, delta: "Two tools " }),
    update({ type: "thinking_delta", contentIndex: 0, delta: "at once." }),
    update({ type: "thinking_end", contentIndex: 0, content: "Two tools at once." }),
    ...calls.flatMap((toolCall, index): RunEventBody[] => {
      const contentIndex = index + 1;
      const json = JSON.stringify(toolCall.arguments);
      return [
        update({ type: "toolcall_start", contentIndex, id: toolCall.id, name: toolCall.name }),
        update({ type: "toolcall_delta", contentIndex, delta: json.slice(0, 5) }),
        update({ type: "toolcall_delta", contentIndex, delta: json.slice(5) }),
        update({ type: "toolcall_end", contentIndex, toolCall }),
      ];
    }),
    { type: "message_end", messageId, message: first },
    ...calls.map(
      (call): RunEventBody => ({
        type: "tool_execution_start",
        toolCallId: call.id,
        toolName: call.name,
        args: call.arguments,
      }),
    ),
    {
      type: "tool_execution_update",
      toolCallId: `${id}-c1`,
      toolName: "calculate",
      args: { expression: "6*7" },
      partialResult: { content: [{ type: "text", text: "…" }] },
    },
    ...calls
      .map(
        (call, index): RunEventBody => ({
          type: "tool_execution_end",
          toolCallId: call.id,
          toolName: call.name,
          result: { content: [{ type: "text", text: `result ${index}` }] },
          isError: index === 1,
        }),
      )
      .reverse(),
    ...message(`${id}-r1`, resultOne),
    ...message(`${id}-r2`, resultTwo),
    { type: "turn_end", message: first, toolResults: results },
    { type: "turn_start" },
    ...textAnswer(`${id}-a2`, "It is 42, 🦀 and the clock failed."),
    { type: "turn_end", message: assistantMessage([]), toolResults: [] },
    { type: "agent_end", messages: [] },
  ]);
}
