import type { OpenAICompletionsCompat } from "../../compat.ts";
import { goOnText } from "../../conversation-ends.ts";
import type { ToolNames } from "../../tool-names.ts";
import { getCurrentSystemPrompt, laterSystemMessageText } from "../../transcript.ts";
import type {
  ImageContent,
  Message,
  Model,
  SystemMessage,
  TextContent,
  Tool,
  ToolResultMessage,
  UserMessage,
} from "../../types.ts";
import { assistantMessage, type WireAssistantMessage } from "./assistant-message.ts";
import { isHost } from "./compat.ts";
import type { ToolTable, WireTool } from "./tools.ts";

export type WirePart =
  | { type: "text"; text: string; cache_control?: unknown }
  | { type: "image_url"; image_url: { url: string } };

export type WireMessage =
  | { role: "system" | "developer"; content?: string | WirePart[]; tools?: WireTool[] }
  | { role: "user"; content: string | WirePart[] }
  | (Omit<WireAssistantMessage, "content"> & { content: string | null | WirePart[] })
  | { role: "tool"; content: string; tool_call_id: string; name?: string };

const emptyResultText = "(The tool gave no output.)";
const emptyFailureText = "(The tool failed without saying why.)";
const imageResultText = "(The tool gave an image, which follows below.)";
const imageCaption = "Images from the tool results above:";
const bridgeText = "I have read the tool results.";

/** What the conversion needs to know of the request that it is part of. */
export interface MessageRoom {
  model: Model;
  compat: OpenAICompletionsCompat;
  names: ToolNames;
  tools: ToolTable;
  /** Tools that a later system message brings, declared there and not with the request (Kimi K3). */
  isLateTool: (tool: Tool) => boolean;
}

/** Transformed messages as the host takes them. Blank texts are left out: some hosts refuse them (B057). */
export function convertMessages(messages: Message[], room: MessageRoom): WireMessage[] {
  const { compat } = room;
  const result: WireMessage[] = [];
  // A message that declares tools stands for itself, in front too.
  const leadingEnd = messages.findIndex(
    (message) => message.role !== "system" || message.toolsAdded?.some(room.isLateTool),
  );
  const leading = leadingEnd < 0 ? messages : messages.slice(0, leadingEnd);
  const role = room.model.reasoning && compat.supportsDeveloperRole ? "developer" : "system";
  const prompt = getCurrentSystemPrompt(leading);
  if (prompt.trim() !== "") result.push({ role, content: prompt });
  let images: ImageContent[] = [];
  const addUser = (content: string | WirePart[]): void => {
    if (compat.requiresAssistantAfterToolResult && result.at(-1)?.role === "tool") {
      result.push({ role: "assistant", content: bridgeText });
    }
    result.push({ role: "user", content });
  };
  const flushImages = (): void => {
    if (images.length > 0) {
      addUser([{ type: "text", text: imageCaption }, ...images.map(imagePart)]);
      images = [];
    }
  };
  for (const message of messages.slice(leading.length)) {
    if (message.role === "toolResult") {
      result.push(toolMessage(message, room));
      images.push(...message.content.filter((block) => block.type === "image"));
      continue;
    }
    flushImages();
    switch (message.role) {
      case "system": {
        const later = laterSystemMessage(message, role, room);
        if (later) result.push(later);
        break;
      }
      case "user": {
        const content = userContent(message, isHost(room.model, "nvidia"));
        if (content !== undefined) addUser(content);
        break;
      }
      case "assistant": {
        const assistant = assistantMessage(message, compat, room.names, room.tools);
        if (assistant) result.push(assistant);
        break;
      }
    }
  }
  flushImages();
  // Mistral, whose ids these are, wants the user or a tool to have the last word.
  const last = result.findLast(({ role }) => role !== "system" && role !== "developer");
  if (compat.requiresShortToolCallIds && last?.role === "assistant") addUser(goOnText);
  return result;
}

function laterSystemMessage(
  message: SystemMessage,
  role: "system" | "developer",
  room: MessageRoom,
): WireMessage | undefined {
  const text = laterSystemMessageText(message);
  const late = (message.toolsAdded ?? []).filter(room.isLateTool);
  if (text.trim() === "" && late.length === 0) return undefined;
  return {
    role,
    ...(text.trim() !== "" && { content: text }),
    ...(late.length > 0 && { tools: late.map(room.tools.wireTool) }),
  };
}

/** @param plain whether texts alone must be one string: NVIDIA's templates read no list */
function userContent(message: UserMessage, plain: boolean): string | WirePart[] | undefined {
  if (typeof message.content === "string") {
    return message.content.trim() === "" ? undefined : message.content;
  }
  const parts = message.content
    .filter((block) => block.type === "image" || block.text.trim() !== "")
    .map((block): WirePart => (block.type === "image" ? imagePart(block) : textPart(block)));
  if (plain && parts.every((part) => part.type === "text")) {
    return parts.map((part) => part.text).join("\n") || undefined;
  }
  return parts.length > 0 ? parts : undefined;
}

function textPart(block: TextContent): WirePart {
  return { type: "text", text: block.text };
}

function imagePart(image: ImageContent): WirePart {
  return {
    type: "image_url",
    image_url: { url: `data:${image.mimeType};base64,${image.data}` },
  };
}

function toolMessage(message: ToolResultMessage, room: MessageRoom): WireMessage {
  const text = message.content
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
  const hasImage = message.content.some((block) => block.type === "image");
  const nothing = hasImage ? imageResultText : message.isError ? emptyFailureText : emptyResultText;
  return {
    role: "tool",
    content: text.trim() === "" ? nothing : text,
    tool_call_id: message.toolCallId,
    ...(room.compat.requiresToolResultName && { name: room.names.toVendor(message.toolName) }),
  };
}
