import { ProviderError } from "../../errors.ts";
import type { AssistantMessage, ErrorClass } from "../../types.ts";
import { isRecord, text } from "../../vendor-json.ts";

/** Reasons by which the vendor holds an answer back. */
const filtered =
  /SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|LANGUAGE|MODEL_ARMOR|JAILBREAK|IMAGE_OTHER/;

/**
 * Sets the stop reason of a message that the vendor ended in order.
 * @throws ProviderError when it was ended for another reason, a new one included: they tell of answers that are not whole
 */
export function applyFinishReason(
  message: AssistantMessage,
  reason: string,
  finishMessage: string,
): void {
  switch (reason) {
    case "STOP":
      message.stopReason = message.content.some((block) => block.type === "toolCall")
        ? "toolUse"
        : "stop";
      return;
    case "MAX_TOKENS":
    case "CONTINUATION":
      message.stopReason = "length";
      return;
    default:
      throw new ProviderError(
        `The model ended its answer with ${reason}${finishMessage ? `: ${finishMessage}` : "."}`,
        { code: reason, errorClass: filtered.test(reason) ? "content-filter" : "unknown" },
      );
  }
}

/** The failure of a prompt that the vendor did not let through, or undefined when it let it through. */
export function blockedPrompt(feedback: unknown): ProviderError | undefined {
  if (!isRecord(feedback)) return undefined;
  const reason = text(feedback.blockReason);
  if (!reason || reason === "BLOCKED_REASON_UNSPECIFIED") return undefined;
  const told = text(feedback.blockReasonMessage);
  return new ProviderError(`The prompt was blocked (${reason})${told ? `: ${told}` : "."}`, {
    code: reason,
    errorClass: "content-filter",
  });
}

const classes: Record<string, ErrorClass> = {
  RESOURCE_EXHAUSTED: "rate-limit",
  UNAVAILABLE: "overloaded",
  INTERNAL: "overloaded",
  UNAUTHENTICATED: "auth",
  PERMISSION_DENIED: "auth",
  NOT_FOUND: "not-found",
  DEADLINE_EXCEEDED: "timeout",
};

/** The failure that a chunk with an `error` tells. */
export function streamError(error: unknown): ProviderError {
  const told = isRecord(error) ? error : {};
  const status = text(told.status);
  return new ProviderError(
    text(told.message) || text(error) || "The host reported an error without words.",
    {
      status: typeof told.code === "number" ? told.code : undefined,
      code: status || undefined,
      errorClass: classes[status],
    },
  );
}
