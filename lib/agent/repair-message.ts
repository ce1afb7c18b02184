import { randomId } from "../ai/random-id.ts";
import type { AssistantContent, AssistantMessage, Diagnostic } from "../ai/types.ts";
import type { AgentMessage } from "./types.ts";

/**
 * A finished answer that the rest of the loop, the transcript and every later request can rely on: each call has a name
 * and an id that no other call of the transcript has, and a message that claims a call holds one. The same object when
 * nothing is wrong.
 *
 * @param earlier the transcript before it; some hosts count their ids anew in every answer
 */
export function repairMessage(
  message: AssistantMessage,
  earlier: readonly AgentMessage[] = [],
): AssistantMessage {
  const problems: string[] = [];
  const content = repairCalls(message.content, callIds(earlier), problems);
  const changed = content.some((block, index) => block !== message.content[index]);
  const repaired =
    changed || content.length !== message.content.length ? { ...message, content } : message;
  const failure = problemOfEnd(repaired);
  if (!failure && problems.length === 0) return repaired;
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

function callIds(messages: readonly AgentMessage[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const block of message.content) if (block.type === "toolCall") ids.add(block.id);
  }
  return ids;
}

function repairCalls(
  content: AssistantContent[],
  taken: ReadonlySet<string>,
  problems: string[],
): AssistantContent[] {
  const ids = new Set<string>();
  const kept: AssistantContent[] = [];
  for (const block of content) {
    if (block.type !== "toolCall") {
      kept.push(block);
    } else if (!block.name?.trim()) {
      problems.push("A tool call without a name was dropped.");
    } else if (block.id && !ids.has(block.id)) {
      // The host's own id stays spoken for in this message, so that a second call with it is still seen as one.
      ids.add(block.id);
      kept.push(taken.has(block.id) ? { ...block, id: freeId(block.id, taken) } : block);
    } else {
      problems.push(
        block.id
          ? `A second tool call with the id ${block.id} got an id of its own.`
          : "A tool call without an id got one.",
      );
      const id = `call_${randomId()}`;
      ids.add(id);
      kept.push({ ...block, id });
    }
  }
  return kept;
}

/** The id with a counter, before the bar behind which some vendors keep an item's id. */
function freeId(id: string, taken: ReadonlySet<string>): string {
  const bar = id.indexOf("|");
  const head = bar < 0 ? id : id.slice(0, bar);
  const tail = bar < 0 ? "" : id.slice(bar);
  let count = 2;
  while (taken.has(`${head}_${count}${tail}`)) count++;
  return `${head}_${count}${tail}`;
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
