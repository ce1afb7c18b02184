import { ProviderError } from "../../errors.ts";
import type { AssistantMessage, ErrorClass } from "../../types.ts";
import { isRecord, type Loose, text } from "../../vendor-json.ts";

/**
 * Sets the stop reason of a message that the vendor ended in order. A reason that is new to us ends a complete answer all the
 * same, and is noted.
 * @throws ProviderError when the vendor ended it by refusing
 */
export function applyStopReason(
  message: AssistantMessage,
  reason: string | undefined,
  details: unknown,
): void {
  const called = message.content.some((block) => block.type === "toolCall");
  const normal = called ? "toolUse" : "stop";
  switch (reason) {
    case undefined:
    case "end_turn":
    case "stop_sequence":
    case "tool_use":
      message.stopReason = normal;
      return;
    case "pause_turn":
    case "compaction":
      message.stopReason = normal;
      if (!called) message.endTurn = false;
      return;
    case "max_tokens":
    case "model_context_window_exceeded":
      message.stopReason = "length";
      return;
    case "refusal":
    case "sensitive":
      throw new ProviderError(refusalText(details), {
        code: reason,
        errorClass: "content-filter",
      });
    default:
      message.stopReason = normal;
      message.diagnostics = [
        ...(message.diagnostics ?? []),
        {
          type: "unknown-stop-reason",
          timestamp: Date.now(),
          details: { stopReason: reason },
        },
      ];
  }
}

function refusalText(details: unknown): string {
  const told = isRecord(details) ? details : {};
  const category = text(told.category);
  const explanation = text(told.explanation);
  const head = `The model refused to answer${category ? ` (${category})` : ""}`;
  return explanation ? `${head}: ${explanation}` : `${head}.`;
}

const classes: Record<string, ErrorClass> = {
  overloaded_error: "overloaded",
  api_error: "overloaded",
  rate_limit_error: "rate-limit",
  authentication_error: "auth",
  permission_error: "auth",
  billing_error: "quota",
  not_found_error: "not-found",
  request_too_large: "context-overflow",
  timeout_error: "timeout",
};

/** The failure that an `error` event tells. */
export function streamError(event: Loose): ProviderError {
  const error = isRecord(event.error) ? event.error : event;
  const type = text(error.type);
  const told = text(error.message) || text(event.error) || text(event.message);
  return new ProviderError(
    `${told || "The host reported an error."}${type && type !== "error" ? ` (${type})` : ""}`,
    {
      code: type && type !== "error" ? type : undefined,
      errorClass: classes[type],
      requestId: text(event.request_id) || undefined,
    },
  );
}
