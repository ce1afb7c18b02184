import type { AgentMessage, AgentToolResult } from "@/lib/agent/types";
import type { CommandOutcome, RunCommand } from "./command";
import type { RunWriter } from "./run-writer";

export interface ApprovalDecision {
  decision: "allow" | "deny";
  reason?: string;
  /** The tool does not ask again during the run. */
  always?: boolean;
}

/** A run that is on in this process: its signal, what waits for a person, and what a person queued. */
export class ActiveRun {
  private readonly controller = new AbortController();
  private readonly steering: AgentMessage[] = [];
  private readonly followUps: AgentMessage[] = [];
  private readonly messageIds = new Set<string>();
  private readonly idsOfMessages = new WeakMap<AgentMessage, string>();
  private readonly decisions = new Map<string, (decision: ApprovalDecision) => void>();
  private readonly results = new Map<string, (result: AgentToolResult) => void>();
  writer!: RunWriter;

  constructor(readonly runId: string) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  abort(): void {
    this.controller.abort(new DOMException("The run was stopped.", "AbortError"));
  }

  apply(command: RunCommand): CommandOutcome {
    if (this.writer?.ended) return "ended";
    switch (command.type) {
      case "abort":
        this.abort();
        return "done";
      case "message":
        this.enqueue(command);
        return "done";
      case "decision":
        return settle(this.decisions, command.toolCallId, {
          decision: command.decision,
          ...(command.reason === undefined ? {} : { reason: command.reason }),
          ...(command.always === undefined ? {} : { always: command.always }),
        });
      case "result":
        return settle(this.results, command.toolCallId, command.result);
    }
  }

  /** The id under which a person sent this message; undefined when it has none. */
  idOf(message: AgentMessage): string | undefined {
    return this.idsOfMessages.get(message);
  }

  /** One at a time: two messages reach two different turns. */
  takeSteering(): AgentMessage[] {
    return this.steering.splice(0, 1);
  }

  takeFollowUp(): AgentMessage[] {
    return this.followUps.splice(0, 1);
  }

  peekQueued(): AgentMessage[] {
    return [...this.steering, ...this.followUps];
  }

  private enqueue({ id, message, mode }: Extract<RunCommand, { type: "message" }>): void {
    if (id !== undefined) {
      if (this.messageIds.has(id)) return;
      this.messageIds.add(id);
      this.idsOfMessages.set(message, id);
    }
    (mode === "steer" ? this.steering : this.followUps).push(message);
  }

  /** A person's decision about a call, however long it takes. Rejects when the signal aborts. */
  waitForDecision(toolCallId: string, signal: AbortSignal): Promise<ApprovalDecision> {
    return waitFor(this.decisions, toolCallId, signal);
  }

  /** The result of a tool that runs in the browser. Rejects when the signal aborts. */
  waitForResult(toolCallId: string, signal: AbortSignal): Promise<AgentToolResult> {
    return waitFor(this.results, toolCallId, signal);
  }
}

function settle<T>(
  waiting: Map<string, (value: T) => void>,
  toolCallId: string,
  value: T,
): CommandOutcome {
  const resolve = waiting.get(toolCallId);
  if (!resolve) return "not-waiting";
  resolve(value);
  return "done";
}

function waitFor<T>(
  waiting: Map<string, (value: T) => void>,
  toolCallId: string,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      waiting.delete(toolCallId);
      reject(signal.reason);
    };
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    waiting.set(toolCallId, (value) => {
      signal.removeEventListener("abort", stop);
      waiting.delete(toolCallId);
      resolve(value);
    });
  });
}
