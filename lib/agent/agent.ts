import { getCurrentSystemMessage } from "../ai/transcript.ts";
import type { ImageContent, UserMessage } from "../ai/types.ts";
import { AgentState, type InitialAgentState } from "./agent-state.ts";
import { toLlmMessages } from "./llm-messages.ts";
import { canContinue, runAgentLoop, runAgentLoopContinue } from "./loop.ts";
import { MessageQueue, type QueueMode } from "./queues.ts";
import type {
  AgentContext,
  AgentEvent,
  AgentEventSink,
  AgentLoopConfig,
  AgentMessage,
} from "./types.ts";

export type AgentListener = (event: AgentEvent, signal: AbortSignal) => void | Promise<void>;

type LoopOptions = Omit<
  AgentLoopConfig,
  "model" | "thinkingLevel" | "getSteeringMessages" | "getFollowUpMessages" | "peekQueued"
>;

export interface AgentOptions extends LoopOptions, InitialAgentState {
  steeringMode?: QueueMode;
  followUpMode?: QueueMode;
  /** Told when a listener throws; the run goes on. Default: an error on the console. */
  onListenerError?: (error: unknown, event: AgentEvent) => void;
}

interface ActiveRun {
  controller: AbortController;
  settled: Promise<void>;
}

/** A conversation with state, listeners and queues around the loop. One run at a time. */
export class Agent {
  readonly state: AgentState;
  private readonly loopOptions: LoopOptions;
  private readonly onListenerError: (error: unknown, event: AgentEvent) => void;
  private readonly listeners = new Set<{ listen: AgentListener }>();
  private readonly steering: MessageQueue;
  private readonly followUps: MessageQueue;
  private active: ActiveRun | undefined;

  constructor(options: AgentOptions) {
    const {
      systemPrompt,
      model,
      thinkingLevel,
      tools,
      messages,
      steeringMode,
      followUpMode,
      onListenerError,
      ...loopOptions
    } = options;
    this.state = new AgentState({
      model,
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
      ...(tools === undefined ? {} : { tools }),
      ...(messages === undefined ? {} : { messages }),
    });
    this.loopOptions = loopOptions;
    this.onListenerError =
      onListenerError ?? ((error) => console.error("A listener of the agent threw:", error));
    this.steering = new MessageQueue(steeringMode);
    this.followUps = new MessageQueue(followUpMode);
  }

  // Listeners

  /** Listeners are awaited one after another, in the order of their subscription. Returns what ends the subscription. */
  subscribe(listen: AgentListener): () => void {
    const entry = { listen };
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
    };
  }

  // Queues

  get steeringMode(): QueueMode {
    return this.steering.mode;
  }
  set steeringMode(mode: QueueMode) {
    this.steering.mode = mode;
  }
  get followUpMode(): QueueMode {
    return this.followUps.mode;
  }
  set followUpMode(mode: QueueMode) {
    this.followUps.mode = mode;
  }

  /** For the model as soon as the turn that is going on is over. */
  steer(message: AgentMessage): void {
    this.steering.enqueue(message);
  }

  /** For the model when it would stop otherwise. */
  followUp(message: AgentMessage): void {
    this.followUps.enqueue(message);
  }

  /** What the next drain would give, steering first. */
  peekQueuedMessages(): AgentMessage[] {
    return this.steering.size > 0 ? this.steering.peek() : this.followUps.peek();
  }

  hasQueuedMessages(): boolean {
    return this.steering.size + this.followUps.size > 0;
  }

  clearSteeringQueue(): void {
    this.steering.clear();
  }

  clearFollowUpQueue(): void {
    this.followUps.clear();
  }

  clearAllQueues(): void {
    this.clearSteeringQueue();
    this.clearFollowUpQueue();
  }

  // Runs

  /**
   * Runs on a new message or several. Resolves when the run is over, however it ended; rejects only while another run
   * is going on.
   */
  async prompt(
    input: string | AgentMessage | AgentMessage[],
    images: ImageContent[] = [],
  ): Promise<void> {
    this.assertIdle("prompt");
    const prompts = typeof input === "string" ? [userMessage(input, images)] : [input].flat();
    await this.run(prompts);
  }

  /** Runs on the transcript as it is; after an answer, on what waits in the queues. Rejects when there is nothing to do. */
  async continue(): Promise<void> {
    this.assertIdle("continue");
    const { messages } = this.state;
    const last = messages.at(-1);
    if (!last || messages.every((message) => message.role === "system")) {
      throw new Error("There is no message to continue from.");
    }
    if (last.role !== "assistant") return this.run(undefined);
    if (this.steering.size > 0) return this.run(this.steering.drain(), true);
    if (this.followUps.size > 0) return this.run(this.followUps.drain());
    if (canContinue(messages)) return this.run(undefined);
    throw new Error("The last message is an answer and nothing is queued: send a message.");
  }

  /** Ends the run that is going on, if any; it settles within the grace time. */
  abort(): void {
    this.active?.controller.abort();
  }

  /** The signal of the run that is going on. */
  get signal(): AbortSignal | undefined {
    return this.active?.controller.signal;
  }

  /** Resolves when no run is going on and all its listeners have settled. */
  waitForIdle(): Promise<void> {
    return this.active?.settled ?? Promise.resolve();
  }

  /** Back to the beginning: prompt and tools stay, as one system message. */
  reset(): void {
    if (this.active) throw new Error("The agent is running: abort it before a reset.");
    const system = getCurrentSystemMessage(toLlmMessages(this.state.messages));
    this.state.messages = system ? [system] : [];
    this.state.streamingMessage = undefined;
    this.state.pendingToolCalls = new Set();
    this.state.errorMessage = undefined;
    this.clearAllQueues();
  }

  private assertIdle(action: string): void {
    if (!this.active) return;
    throw new Error(
      `The agent is running, so it cannot ${action} now. Use steer() or followUp() to queue a message, or wait for it.`,
    );
  }

  /** @param prompts new messages, or undefined to go on from the transcript */
  private async run(prompts: AgentMessage[] | undefined, skipFirstPoll = false): Promise<void> {
    const controller = new AbortController();
    let settle: () => void = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    this.active = { controller, settled };
    this.state.isStreaming = true;
    this.state.errorMessage = undefined;
    const { messages, tools } = this.state;
    const context: AgentContext = { messages, tools };
    const config = this.loopConfig(skipFirstPoll);
    const emit: AgentEventSink = (event) => this.process(event);
    try {
      await (prompts
        ? runAgentLoop(prompts, context, config, emit, controller.signal)
        : runAgentLoopContinue(context, config, emit, controller.signal));
    } finally {
      this.state.isStreaming = false;
      this.state.streamingMessage = undefined;
      this.state.pendingToolCalls = new Set();
      this.active = undefined;
      settle();
    }
  }

  private loopConfig(skipFirstPoll: boolean): AgentLoopConfig {
    let skip = skipFirstPoll;
    return {
      ...this.loopOptions,
      model: this.state.model,
      thinkingLevel: this.state.thinkingLevel,
      getSteeringMessages: () => {
        if (!skip) return this.steering.drain();
        skip = false;
        return [];
      },
      getFollowUpMessages: () => this.followUps.drain(),
      peekQueued: () => [...this.steering.all(), ...this.followUps.all()],
    };
  }

  private async process(event: AgentEvent): Promise<void> {
    const active = this.active;
    if (!active) throw new Error("An agent event outside a run.");
    this.state.reduce(event);
    for (const { listen } of [...this.listeners]) {
      try {
        await listen(event, active.controller.signal);
      } catch (error) {
        this.onListenerError(error, event);
      }
    }
  }
}

function userMessage(text: string, images: ImageContent[]): UserMessage {
  return {
    role: "user",
    content: [{ type: "text", text }, ...images],
    timestamp: Date.now(),
  };
}
