import type { AssistantMessage, Diagnostic, Model } from "./types.ts";

/** A prompt that fills so much of the window leaves no room to answer in. */
const fullShare = 0.99;

/**
 * The note for an answer that a host gave in good order although the prompt was too long for the model: some cut the prompt
 * without a word, some answer with nothing (P-246). undefined: it fitted, or the window is not known.
 */
export function silentOverflow(model: Model, message: AssistantMessage): Diagnostic | undefined {
  const window = model.contextWindow;
  const prompt = message.usage.input + message.usage.cacheRead;
  if (window <= 0) return undefined;
  const cut = prompt > window;
  const full =
    message.stopReason === "length" && message.usage.output === 0 && prompt >= window * fullShare;
  if (!cut && !full) return undefined;
  return {
    type: "silent-overflow",
    timestamp: Date.now(),
    error: {
      message: cut
        ? "The prompt was longer than the model's window, so the host may have cut it."
        : "The prompt filled the model's window and left no room for an answer.",
    },
    details: { class: "context-overflow" },
  };
}
