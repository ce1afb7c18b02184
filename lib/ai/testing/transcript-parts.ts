import type {
  AssistantContent,
  AssistantMessage,
  Message,
  TextContent,
  Tool,
  ToolResultMessage,
  UserMessage,
} from "../types.ts";
import { answer } from "./run-stream.ts";

/** Parts of a transcript in which a model looks words up. */
export const lookUp: Tool = {
  name: "look_up",
  description: "Looks a word up.",
  parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
};

export const text = (value: string): TextContent => ({ type: "text", text: value });

export const user = (content: UserMessage["content"]): Message => ({
  role: "user",
  content,
  timestamp: 1,
});

export const call = (id: string): AssistantContent => ({
  type: "toolCall",
  id,
  name: "look_up",
  arguments: { word: "sky" },
});

/** An answer of the model that `capture` asks. */
export const own = (...content: AssistantContent[]): AssistantMessage =>
  answer({ content, api: "openai-completions", provider: "openai", model: "test-model" });

export const result = (
  toolCallId: string,
  content: ToolResultMessage["content"],
  isError = false,
): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "look_up",
  content,
  isError,
  timestamp: 3,
});
