import { createInitialSystemMessage, getCurrentSystemPrompt } from "../ai/transcript.ts";
import type { Model, ThinkingLevel } from "../ai/types.ts";
import { toLlmMessages } from "./llm-messages.ts";
import type { AgentEvent, AgentMessage, AgentTool } from "./types.ts";

export interface InitialAgentState {
  systemPrompt?: string;
  model: Model;
  thinkingLevel?: ThinkingLevel;
  tools?: AgentTool[];
  messages?: AgentMessage[];
}

/** What an agent knows between and during runs (L-100). Changes during a run take effect with the next one (L-106). */
export class AgentState {
  model: Model;
  thinkingLevel: ThinkingLevel;
  isStreaming = false;
  streamingMessage: AgentMessage | undefined;
  /** Ids of the calls that are running; a new set with each change. */
  pendingToolCalls: ReadonlySet<string> = new Set();
  errorMessage: string | undefined;
  private currentTools: AgentTool[];
  private currentMessages: AgentMessage[];

  constructor(initial: InitialAgentState) {
    this.model = initial.model;
    this.thinkingLevel = initial.thinkingLevel ?? "off";
    this.currentTools = [...(initial.tools ?? [])];
    this.currentMessages = [...(initial.messages ?? [])];
    if (this.currentMessages[0]?.role !== "system") {
      const system = createInitialSystemMessage(initial.systemPrompt, this.currentTools);
      if (system) this.currentMessages.unshift(system);
    }
  }

  /** Replayed from the system messages; to change it, add one. */
  get systemPrompt(): string {
    return getCurrentSystemPrompt(toLlmMessages(this.currentMessages));
  }

  get tools(): AgentTool[] {
    return this.currentTools;
  }
  set tools(tools: AgentTool[]) {
    this.currentTools = [...tools];
  }

  get messages(): AgentMessage[] {
    return this.currentMessages;
  }
  set messages(messages: AgentMessage[]) {
    this.currentMessages = [...messages];
  }

  /** Folds one event in (L-102). */
  reduce(event: AgentEvent): void {
    switch (event.type) {
      case "message_start":
      case "message_update":
        this.streamingMessage = event.message;
        break;
      case "message_end":
        this.streamingMessage = undefined;
        this.currentMessages.push(event.message);
        break;
      case "tool_execution_start":
        this.pendingToolCalls = new Set([...this.pendingToolCalls, event.toolCallId]);
        break;
      case "tool_execution_end": {
        const left = new Set(this.pendingToolCalls);
        left.delete(event.toolCallId);
        this.pendingToolCalls = left;
        break;
      }
      case "turn_end":
        this.errorMessage =
          event.message.role === "assistant" ? event.message.errorMessage : undefined;
        break;
      case "agent_end":
        this.streamingMessage = undefined;
        break;
      case "agent_start":
      case "turn_start":
      case "tool_execution_update":
        break;
      default:
        assertNever(event);
    }
  }
}

function assertNever(event: never): never {
  throw new Error(`Unknown agent event: ${JSON.stringify(event)}`);
}
