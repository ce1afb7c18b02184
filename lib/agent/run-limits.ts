import type { AssistantMessage, ToolCall } from "../ai/types.ts";
import { RepeatedCalls } from "./repeated-calls.ts";
import type { AgentLoopConfig } from "./types.ts";

const DEFAULT_MAX_TURNS = 50;
const DEFAULT_MAX_REPEATED_CALLS = 8;
/** How often in a row a vendor may pause its own turn and have it sent back (L-137). */
const MAX_PAUSES = 3;

/** Counts what one run may do only so often, so that no model can spend without end. */
export class RunLimits {
  private readonly maxTurns: number;
  private readonly repeatedCalls: RepeatedCalls;
  private repeatedCall: string | undefined;
  private requests = 0;
  private pauses = 0;

  constructor(config: Pick<AgentLoopConfig, "maxTurns" | "maxRepeatedCalls">) {
    this.maxTurns = config.maxTurns ?? DEFAULT_MAX_TURNS;
    this.repeatedCalls = new RepeatedCalls(config.maxRepeatedCalls ?? DEFAULT_MAX_REPEATED_CALLS);
  }

  noteRequest(): void {
    this.requests += 1;
  }

  noteCalls(calls: ToolCall[]): void {
    this.repeatedCall = this.repeatedCalls.note(calls);
  }

  /** A person said something: what the model repeated before, it may ask for again. */
  notePerson(): void {
    this.repeatedCalls.reset();
  }

  /** Counts an answer. Whether its vendor paused in the middle of its turn, and may be asked to go on. */
  notePause(message: AssistantMessage, calls: ToolCall[]): boolean {
    const paused = message.endTurn === false && calls.length === 0;
    this.pauses = paused ? this.pauses + 1 : 0;
    return paused && this.pauses <= MAX_PAUSES;
  }

  /** Why there may be no further request, or undefined. */
  reached(): string | undefined {
    if (this.repeatedCall) {
      return `Stopped: the model keeps asking for the same call, ${this.repeatedCall}.`;
    }
    if (this.requests < this.maxTurns) return undefined;
    return `Stopped after ${this.maxTurns} model requests in one run.`;
  }
}
