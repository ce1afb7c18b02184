import { ProviderError } from "../../errors.ts";
import type { ErrorClass } from "../../types.ts";

/** What a finish reason means; `unknown` is a word that no host is known to use. */
export type Finish = "stop" | "length" | "toolUse" | "unknown";

const finishes: Record<string, Finish> = {
  stop: "stop",
  end: "stop",
  eos: "stop",
  eos_token: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  complete: "stop",
  completed: "stop",
  done: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  max_length: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  tool_calls: "toolUse",
  tool_call: "toolUse",
  tool_use: "toolUse",
  function_call: "toolUse",
};

const failures: [pattern: RegExp, errorClass: ErrorClass][] = [
  [/content_?filter|safety|sensitive|recitation|prohibited|blocklist|moderation/, "content-filter"],
  [/network/, "network"],
  [/insufficient_system_resource|overload/, "overloaded"],
  [/timeout/, "timeout"],
  [/error|fail|abort|cancel|interrupt|malformed|disconnect/, "unknown"],
];

/** @throws ProviderError that names the reason when it tells of a failure */
export function readFinishReason(raw: string): Finish {
  const word = raw.toLowerCase().replace(/[\s-]+/g, "_");
  const known = finishes[word];
  if (known) return known;
  const failure = failures.find(([pattern]) => pattern.test(word));
  if (!failure) return "unknown";
  throw new ProviderError(
    failure[1] === "content-filter"
      ? `The vendor's content filter stopped the answer (finish reason: ${raw}).`
      : `The vendor broke the answer off (finish reason: ${raw}).`,
    { errorClass: failure[1], code: raw },
  );
}
