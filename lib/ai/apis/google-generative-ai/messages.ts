import type { GoogleGenerativeAICompat } from "../../compat.ts";
import { goOnText, openingText } from "../../conversation-ends.ts";
import type { ToolNames } from "../../tool-names.ts";
import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  TextContent,
  ToolResultMessage,
} from "../../types.ts";
import type { Loose } from "../../vendor-json.ts";
import { replayedParts } from "./native.ts";

export interface VendorContent {
  role: "user" | "model";
  parts: Loose[];
}

/**
 * What the vendor takes in place of the signature of a call that one of its models has not made: documented for calls of
 * another model's, which otherwise Gemini 3 and later refuse (B054).
 */
const foreignSignature = "skip_thought_signature_validator";
const imageResultText = "The tool gave an image; it is attached.";
const emptyResultText = "The tool gave no output.";

/** Transformed messages to the vendor's contents, without the system message. */
export function convertMessages(
  messages: Message[],
  model: Model,
  compat: GoogleGenerativeAICompat,
  names: ToolNames,
): VendorContent[] {
  const contents: VendorContent[] = [];
  const push = (role: VendorContent["role"], parts: Loose[]): void => {
    if (parts.length === 0) return;
    const last = contents.at(-1);
    // A turn with calls must stand behind a turn of the user's.
    if (role === "model" && last?.role === "model") last.parts.push(...parts);
    else contents.push({ role, parts });
  };
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message;
    switch (message.role) {
      case "system":
        break;
      case "user":
        push(
          "user",
          typeof message.content === "string"
            ? textParts(message.content)
            : contentParts(message.content),
        );
        break;
      case "assistant":
        push("model", assistantParts(message, model, compat, names));
        break;
      case "toolResult": {
        const results: ToolResultMessage[] = [message];
        for (
          let next = messages[index + 1];
          next?.role === "toolResult";
          next = messages[index + 1]
        ) {
          results.push(next);
          index++;
        }
        const { responses, images } = resultParts(results, compat, names);
        push("user", responses);
        push("user", images);
        break;
      }
    }
  }
  if (contents[0]?.role === "model") contents.unshift(userTurn(openingText));
  if (contents.at(-1)?.role === "model") contents.push(userTurn(goOnText));
  return contents;
}

/** Where the vendor wants the user first and last. */
function userTurn(text: string): VendorContent {
  return { role: "user", parts: [{ text }] };
}

function textParts(text: string): Loose[] {
  return text.trim() ? [{ text }] : [];
}

function imagePartOf(image: ImageContent): Loose {
  return { inlineData: { mimeType: image.mimeType, data: image.data } };
}

function contentParts(content: (TextContent | ImageContent)[]): Loose[] {
  return content.flatMap((block) =>
    block.type === "text" ? textParts(block.text) : [imagePartOf(block)],
  );
}

function assistantParts(
  message: AssistantMessage,
  model: Model,
  compat: GoogleGenerativeAICompat,
  names: ToolNames,
): Loose[] {
  const parts = replayedParts(message, model, compat, names) ?? blockParts(message, compat, names);
  if (compat.requiresThoughtSignature) signCalls(parts);
  return parts;
}

function blockParts(
  message: AssistantMessage,
  compat: GoogleGenerativeAICompat,
  names: ToolNames,
): Loose[] {
  const parts: Loose[] = [];
  for (const block of message.content) {
    switch (block.type) {
      case "text": {
        const signature = validSignature(block.textSignature);
        if (block.text.trim() || signature.thoughtSignature) {
          parts.push({ text: block.text, ...signature });
        }
        break;
      }
      case "thinking": {
        const signature = validSignature(block.thinkingSignature);
        if (block.thinking.trim() || signature.thoughtSignature) {
          parts.push({ thought: true, text: block.thinking, ...signature });
        }
        break;
      }
      case "toolCall":
        parts.push({
          functionCall: {
            name: names.toVendor(block.name),
            args: block.arguments,
            ...(compat.toolCallIds && { id: block.id }),
          },
          ...validSignature(block.thoughtSignature),
        });
        break;
    }
  }
  return parts;
}

/** The first of the calls that one of the vendor's answers made carries a signature; without one they are foreign. */
function signCalls(parts: Loose[]): void {
  const calls = parts.filter((part) => part.functionCall);
  if (calls[0]?.thoughtSignature) return;
  for (const part of calls) part.thoughtSignature ??= foreignSignature;
}

/** A signature is base64; anything else would make the vendor refuse the whole request. */
function validSignature(signature: string | undefined): { thoughtSignature?: string } {
  const valid =
    !!signature &&
    /^[A-Za-z0-9+/_-]+={0,2}$/.test(signature) &&
    signature.replace(/=+$/, "").length % 4 !== 1;
  return valid ? { thoughtSignature: signature } : {};
}

/**
 * All results of one turn. Where images cannot stand inside a response they make a turn of their own behind all responses,
 * which may not be split (W-22). The text stays text: an object would be read, `$ref` and all (B069).
 */
function resultParts(
  results: ToolResultMessage[],
  compat: GoogleGenerativeAICompat,
  names: ToolNames,
): { responses: Loose[]; images: Loose[] } {
  const apart: Loose[] = [];
  const responses = results.map((result): Loose => {
    const content = contentParts(result.content);
    const images = content.filter((part) => part.inlineData);
    const told = content.flatMap((part) => (part.text ? [part.text] : [])).join("\n");
    const output = told || (images.length > 0 ? imageResultText : emptyResultText);
    const inside = compat.imagesInFunctionResponse && images.length > 0;
    if (!inside && images.length > 0) {
      const name = names.toVendor(result.toolName);
      apart.push({ text: `Images that the tool ${name} gave:` }, ...images);
    }
    return {
      functionResponse: {
        name: names.toVendor(result.toolName),
        response: result.isError ? { error: output } : { output },
        ...(inside && { parts: images }),
        ...(compat.toolCallIds && { id: result.toolCallId }),
      },
    };
  });
  return { responses, images: apart };
}
