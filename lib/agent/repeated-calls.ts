import type { ToolCall } from "../ai/types.ts";

const SHOWN_ARGUMENTS_CHARS = 200;

/**
 * Counts the model's turns that ask for the very same call, whether it succeeds or not. A model that goes round in a
 * circle spends money without end, also when every call works.
 */
export class RepeatedCalls {
  private readonly turns = new Map<string, number>();

  constructor(private readonly limit: number) {}

  /** A person said something new: what was asked before no longer counts. */
  reset(): void {
    this.turns.clear();
  }

  /** Counts one message's calls, each kind once. Returns the call that has reached the limit, as `name(arguments)`. */
  note(calls: ToolCall[]): string | undefined {
    let reached: string | undefined;
    for (const [key, call] of new Map(calls.map((call) => [callKey(call), call]))) {
      const count = (this.turns.get(key) ?? 0) + 1;
      this.turns.set(key, count);
      if (count >= this.limit) reached ??= describeCall(call);
    }
    return reached;
  }
}

function callKey(call: ToolCall): string {
  return `${call.name}\n${canonical(call.arguments)}`;
}

function describeCall(call: ToolCall): string {
  const text = JSON.stringify(call.arguments);
  const shown =
    text.length > SHOWN_ARGUMENTS_CHARS ? `${text.slice(0, SHOWN_ARGUMENTS_CHARS)}…` : text;
  return `${call.name}(${shown.toWellFormed()})`;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))
      : inner,
  );
}
