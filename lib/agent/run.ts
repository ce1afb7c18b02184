import type { AssistantMessage, Model, ThinkingLevel, ToolResultMessage } from "../ai/types.ts";
import { unlessAborted, withGrace } from "./abort.ts";
import { abortedMessage, closingMessage } from "./closing-message.ts";
import { describeThrown } from "./describe-thrown.ts";
import { Emitter } from "./emitter.ts";
import { RunLimits } from "./run-limits.ts";
import { streamResponse } from "./stream-response.ts";
import { DEFAULT_ABORT_GRACE_MS } from "./tool-call.ts";
import { announceToolChanges } from "./tool-changes.ts";
import {
  type BatchResult,
  executeToolCalls,
  refuseCutCalls,
  toolCallsOf,
} from "./tool-execution.ts";
import type {
  AgentContext,
  AgentEventSink,
  AgentLoopConfig,
  AgentMessage,
  RequestSetup,
  TurnSummary,
} from "./types.ts";

interface Turn {
  message?: AssistantMessage;
  results: ToolResultMessage[];
}

/**
 * One run: turns of one model response and its tool calls, until nothing is left to do. Whatever happens, it ends with
 * one `agent_end` that holds every message of the run (L-125, L-132).
 */
export class Run {
  private readonly emitter: Emitter;
  private readonly added: AgentMessage[] = [];
  private readonly limits: RunLimits;
  private readonly abortGraceMs: number;
  private context: AgentContext;
  private model: Model;
  private thinkingLevel: ThinkingLevel;
  /** Emitted and appended at the beginning of the next turn; kept here so that no failure loses them. */
  private pending: AgentMessage[] = [];
  private turn: Turn | undefined;
  private begun = false;

  constructor(
    context: AgentContext,
    private readonly config: AgentLoopConfig,
    sink: AgentEventSink,
    private readonly signal: AbortSignal,
  ) {
    this.emitter = new Emitter(sink);
    // Copies: the caller's lists are the caller's (L-085).
    this.context = { messages: [...context.messages], tools: [...context.tools] };
    this.model = config.model;
    this.thinkingLevel = config.thinkingLevel ?? "off";
    this.abortGraceMs = config.abortGraceMs ?? DEFAULT_ABORT_GRACE_MS;
    this.limits = new RunLimits(config);
  }

  /** Never rejects. Resolves to the messages that the run added, once `agent_end` was taken. */
  async start(prompts: AgentMessage[]): Promise<AgentMessage[]> {
    try {
      await this.turns(prompts);
    } catch (error) {
      await this.fail(error);
    }
    const queued = this.stillQueued();
    await this.emitter.emit({
      type: "agent_end",
      messages: this.added,
      ...(queued.length > 0 ? { queued } : {}),
    });
    return this.added;
  }

  private async turns(prompts: AgentMessage[]): Promise<void> {
    this.pending = [...prompts];
    await this.openTurn();
    if (!this.signal.aborted) this.pending.push(...(await this.pollSteering()));
    do {
      await this.appendPending(true);
    } while (await this.takeTurn());
  }

  /** One response with its tool calls. Returns whether another turn was opened. */
  private async takeTurn(): Promise<boolean> {
    const message = await this.request();
    this.turn = { message, results: [] };
    const calls = toolCallsOf(message);
    const { stopReason } = message;
    if (stopReason === "error" || stopReason === "aborted" || stopReason === "deferred") {
      await this.finishDeadTurn(message);
      return false;
    }
    const batch =
      calls.length > 0 ? await this.runCalls(message) : { results: [], terminate: false };
    this.turn = { message, results: batch.results };
    const decision = await this.finishTurn(message, batch.results);
    await this.closeTurn();
    if (decision === "end") return false;
    const paused = this.limits.notePause(message, calls);
    const due = paused || (calls.length > 0 && !batch.terminate);
    return this.goOn({ message, batch, due, paused, askedToContinue: decision === "continue" });
  }

  /** Decides whether there is another turn, and opens it. */
  private async goOn(state: {
    message: AssistantMessage;
    batch: BatchResult;
    due: boolean;
    paused: boolean;
    askedToContinue: boolean;
  }): Promise<boolean> {
    const { due, paused, askedToContinue } = state;
    if (this.signal.aborted) {
      // What waits in the queues stays there: a request that never happens must not swallow it (L-121).
      if (due) await this.addClosingTurn(abortedMessage(this.model, this.thinkingLevel));
      return false;
    }
    const limit = this.limits.reached();
    if (limit) {
      if (due || askedToContinue || this.stillQueued().length > 0) {
        await this.addClosingTurn(this.limitMessage(limit));
      }
      return false;
    }
    const steering = paused ? [] : await this.pollSteering();
    this.pending = steering;
    if (!due && steering.length === 0) {
      this.pending = await this.poll(this.config.getFollowUpMessages);
      if (this.pending.length === 0 && !askedToContinue) return false;
    }
    await this.prepareNextTurn(state);
    if (!paused && steering.length === 0) this.pending.push(...(await this.pollSteering()));
    await this.openTurn();
    return true;
  }

  private async prepareNextTurn(state: {
    message: AssistantMessage;
    batch: BatchResult;
  }): Promise<void> {
    if (!this.config.prepareNextTurn) return;
    const summary = this.summary(state.message, state.batch.results);
    const setup = await unlessAborted(this.config.prepareNextTurn(summary), this.signal);
    if (!setup) return;
    this.apply(setup);
    if (setup.messages) this.pending = [...setup.messages, ...this.pending];
  }

  private async request(): Promise<AssistantMessage> {
    if (this.config.prepareRequest && !this.signal.aborted) {
      const { context, model, thinkingLevel } = this;
      const setup = await unlessAborted(
        this.config.prepareRequest({ context, model, thinkingLevel }, this.signal),
        this.signal,
      );
      if (setup) {
        this.apply(setup);
        await this.appendPending(true);
      }
    }
    this.limits.noteRequest();
    const message = await streamResponse({
      config: this.config,
      context: this.context,
      model: this.model,
      thinkingLevel: this.thinkingLevel,
      emitter: this.emitter,
      signal: this.signal,
      abortGraceMs: this.abortGraceMs,
    });
    this.added.push(message);
    return message;
  }

  private apply(setup: Partial<RequestSetup>): void {
    if (setup.context) {
      this.context = {
        messages: [...setup.context.messages],
        tools: [...setup.context.tools],
      };
    }
    if (setup.model) this.model = setup.model;
    if (setup.thinkingLevel) this.thinkingLevel = setup.thinkingLevel;
  }

  private runCalls(assistantMessage: AssistantMessage): Promise<BatchResult> {
    const calls = toolCallsOf(assistantMessage);
    this.limits.noteCalls(calls);
    const run = assistantMessage.stopReason === "length" ? refuseCutCalls : executeToolCalls;
    return run(calls, {
      config: this.config,
      context: this.context,
      assistantMessage,
      signal: this.signal,
      emitter: this.emitter,
      append: (message) => {
        this.context.messages.push(message);
        this.added.push(message);
      },
    });
  }

  private async finishTurn(
    message: AssistantMessage,
    results: ToolResultMessage[],
  ): Promise<"continue" | "end" | undefined> {
    if (!this.config.finishTurn) return undefined;
    const decision = this.config.finishTurn(this.summary(message, results), this.signal);
    return withGrace(decision, this.signal, this.abortGraceMs);
  }

  /** A turn that ends the run anyway: the hook is told, but its decision and its own failure change nothing. */
  private async finishDeadTurn(message: AssistantMessage): Promise<void> {
    try {
      await this.finishTurn(message, []);
    } catch {
      // The run already ends with what went wrong first.
    }
    await this.closeTurn();
  }

  private summary(message: AssistantMessage, toolResults: ToolResultMessage[]): TurnSummary {
    return { message, toolResults, stopReason: message.stopReason, context: this.context };
  }

  private limitMessage(limit: string): AssistantMessage {
    return closingMessage({
      model: this.model,
      thinkingLevel: this.thinkingLevel,
      stopReason: "error",
      errorMessage: `${limit} Nothing is lost: continue, or say how to go on.`,
      errorClass: "turn-limit",
    });
  }

  private pollSteering(): Promise<AgentMessage[]> {
    return this.poll(this.config.getSteeringMessages);
  }

  private async poll(
    source: (() => AgentMessage[] | Promise<AgentMessage[]>) | undefined,
  ): Promise<AgentMessage[]> {
    const polled = source?.();
    // What was taken out of a queue must not be lost to an abort that comes a moment later.
    const messages =
      polled instanceof Promise ? await withGrace(polled, this.signal, this.abortGraceMs) : polled;
    return [...(messages ?? [])];
  }

  private stillQueued(): AgentMessage[] {
    try {
      return this.config.peekQueued?.() ?? [];
    } catch {
      return [];
    }
  }

  private async openTurn(): Promise<void> {
    if (!this.begun) {
      this.begun = true;
      await this.emitter.emit({ type: "agent_start" });
    }
    this.turn = { results: [] };
    await this.emitter.emit({ type: "turn_start" });
  }

  private async closeTurn(): Promise<void> {
    const turn = this.turn;
    this.turn = undefined;
    if (!turn?.message) return;
    await this.emitter.emit({
      type: "turn_end",
      message: turn.message,
      toolResults: turn.results,
    });
  }

  private async appendPending(tellTools: boolean): Promise<void> {
    if (tellTools) {
      const { messages, tools } = this.context;
      this.pending = announceToolChanges(messages, this.pending, tools);
    }
    const pending = this.pending;
    this.pending = [];
    for (const message of pending) {
      if (message.role === "user") this.limits.notePerson();
      await this.append(message);
    }
  }

  private async append(message: AgentMessage): Promise<void> {
    this.context.messages.push(message);
    this.added.push(message);
    await this.emitter.emit({ type: "message_start", message });
    await this.emitter.emit({ type: "message_end", message });
  }

  private async addClosingTurn(message: AssistantMessage): Promise<void> {
    await this.openTurn();
    await this.closeWith(message);
  }

  private async closeWith(message: AssistantMessage): Promise<void> {
    await this.append(message);
    this.turn = { message, results: [] };
    await this.closeTurn();
  }

  /** Something outside a response threw: a hook, most likely. The turn that is open, or one more, says so (L-132). */
  private async fail(error: unknown): Promise<void> {
    if (this.turn?.message) await this.closeTurn();
    if (!this.turn) await this.openTurn();
    await this.appendPending(false);
    const { model, thinkingLevel } = this;
    await this.closeWith(
      this.signal.aborted
        ? abortedMessage(model, thinkingLevel)
        : closingMessage({
            model,
            thinkingLevel,
            stopReason: "error",
            errorMessage: describeThrown(error),
            errorClass: "unknown",
            content: [{ type: "text", text: "" }],
          }),
    );
  }
}
