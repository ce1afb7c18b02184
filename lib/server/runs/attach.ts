import type { ToolAnswer } from "@/lib/run/request";
import { HttpError } from "../errors";
import type { CommandOutcome } from "./command";
import type { RunRegistry } from "./registry";
import { eventStreamResponse } from "./sse-response";

/** The log of a run as an event stream, from the number on that the reader has. @throws HttpError 404, 400 */
export async function attachToRun(
  registry: RunRegistry,
  runId: string,
  request: Request,
): Promise<Response> {
  const leave = new AbortController();
  const pieces = await registry.read(runId, readAfter(request), leave.signal);
  if (!pieces) throw unknownRun();
  return eventStreamResponse(pieces, leave, request.signal);
}

/** Hands a person's answer to the call that waits for it. The id may still be as it stood in the address. */
export async function answerToolCall(
  registry: RunRegistry,
  runId: string,
  toolCallId: string,
  answer: ToolAnswer,
): Promise<CommandOutcome | undefined> {
  const send = (id: string): Promise<CommandOutcome | undefined> =>
    registry.command(
      runId,
      "decision" in answer
        ? { type: "decision", toolCallId: id, ...answer }
        : { type: "result", toolCallId: id, ...answer },
    );
  const outcome = await send(toolCallId);
  const decoded = decode(toolCallId);
  return outcome === "not-waiting" && decoded !== toolCallId ? send(decoded) : outcome;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The answer to a command. @throws HttpError 404, 409 */
export function commandResponse(outcome: CommandOutcome | undefined, status: 202 | 204): Response {
  switch (outcome) {
    case undefined:
      throw unknownRun();
    case "ended":
      throw new HttpError(409, "run-ended", "The run is over.");
    case "not-waiting":
      throw new HttpError(404, "not-waiting", "No tool call of that id waits for an answer.");
    case "done":
      return new Response(null, { status });
  }
}

function unknownRun(): HttpError {
  return new HttpError(404, "unknown-run", "The server does not know this run (any more).");
}

function readAfter(request: Request): number {
  const inAddress = new URL(request.url).searchParams.get("after");
  const text = inAddress ?? request.headers.get("last-event-id") ?? "0";
  if (!/^\d{1,15}$/.test(text)) {
    throw new HttpError(400, "invalid-request", "after: must be the number of an event.", "after");
  }
  return Number(text);
}
