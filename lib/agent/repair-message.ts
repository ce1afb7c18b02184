import type { AssistantContent, AssistantMessage, Diagnostic } from "../ai/types.ts";

/**
 * A finished answer that the rest of the loop, the transcript and every later request can rely on: each call has a name
 * and an id that no other call of the message has, and a message that claims a call holds one. The same object when
 * nothing is wrong.
 */
export function repairMessage(message: AssistantMessage): AssistantMessage {
  const problems: string[] = [];
  const content = repairCalls(message.content, problems);
  const repaired = problems.length > 0 ? { ...message, content } : message;
  const failure = problemOfEnd(repaired);
  if (!failure && problems.length === 0) return message;
  if (failure) problems.push(failure);
  return {
    ...repaired,
    ...(failure ? { stopReason: "error" as const, errorMessage: failure } : {}),
    diagnostics: [
      ...(message.diagnostics ?? []),
      ...problems.map((problem) => repairDiagnostic(problem)),
    ],
  };
}

function repairCalls(content: AssistantContent[], problems: string[]): AssistantContent[] {
  const ids = new Set<string>();
  const kept: AssistantContent[] = [];
  for (const block of content) {
    if (block.type !== "toolCall") {
      kept.push(block);
    } else if (!block.name?.trim()) {
      problems.push("A tool call without a name was dropped.");
    } else if (block.id && !ids.has(block.id)) {
      ids.add(block.id);
      kept.push(block);
    } else {
      problems.push(
        block.id
          ? `A second tool call with the id ${block.id} got an id of its own.`
          : "A tool call without an id got one.",
      );
      const id = `call_${crypto.randomUUID().replaceAll("-", "")}`;
      ids.add(id);
      kept.push({ ...block, id });
    }
  }
  return kept;
}

function problemOfEnd(message: AssistantMessage): string | undefined {
  if (message.stopReason === "pending") return "The stream ended before the answer was finished.";
  const hasCall = message.content.some((block) => block.type === "toolCall");
  if (message.stopReason === "toolUse" && !hasCall) {
    return "The model said that it calls a tool, but sent no call that can be run. Try again.";
  }
  return undefined;
}

function repairDiagnostic(message: string): Diagnostic {
  return {
    type: "agent_repair",
    timestamp: Date.now(),
    error: { message },
    details: { class: "unknown" },
  };
}
