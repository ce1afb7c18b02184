import type { GoogleGenerativeAICompat } from "../../compat.ts";
import type { ToolNames } from "../../tool-names.ts";
import { isSameModel } from "../../transform-messages.ts";
import type { AssistantMessage, Model, ToolCall } from "../../types.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";

const ownKeys = new Set(["text", "thought", "thoughtSignature", "functionCall"]);

/** Whether a part is only text, thought or a call, which our blocks hold too. */
export function isPlainPart(part: Loose): boolean {
  return Object.keys(part).every((key) => ownKeys.has(key));
}

/**
 * The vendor's parts of an answer in their order. Pieces of one text are put together, but never over a signature: the vendor
 * wants a signed part as it was.
 */
export class PartCollector {
  readonly parts: Loose[] = [];

  /** @param part as it came, a finished call in place of its pieces */
  add(part: Loose): void {
    const last = this.parts.at(-1);
    if (
      last &&
      typeof last.text === "string" &&
      typeof part.text === "string" &&
      isPlainPart(part) &&
      last.thought === part.thought &&
      last.thoughtSignature === undefined &&
      part.thoughtSignature === undefined
    ) {
      last.text += part.text;
      return;
    }
    this.parts.push({ ...part });
  }

  get hasOwnKinds(): boolean {
    return this.parts.some((part) => !isPlainPart(part));
  }
}

/** An image's data is kept once, among the message's images; its part says which one it is. */
export function imagePart(part: Loose, imageIndex: number): Loose {
  const { inlineData, ...rest } = part;
  const { data: _data, ...described } = isRecord(inlineData) ? inlineData : {};
  return { ...rest, inlineData: { ...described, imageIndex } };
}

/**
 * The vendor's own parts as they go back to the model that made them, or undefined when there are none or they no longer
 * match the calls of the message, whose results follow.
 */
export function replayedParts(
  message: AssistantMessage,
  model: Model,
  compat: GoogleGenerativeAICompat,
  names: ToolNames,
): Loose[] | undefined {
  if (message.native?.api !== "google-generative-ai" || !isSameModel(message, model)) {
    return undefined;
  }
  const parts = message.native.items.filter(isRecord);
  const calls = message.content.filter((block) => block.type === "toolCall");
  if (parts.filter((part) => isRecord(part.functionCall)).length !== calls.length) return undefined;
  let next = 0;
  return parts.flatMap((part) => {
    if (isRecord(part.functionCall)) {
      const call = calls[next++] as ToolCall;
      const functionCall = {
        ...part.functionCall,
        name: names.toVendor(call.name),
        // The result's id must be the call's, also where the vendor gave none.
        ...(compat.toolCallIds && { id: call.id }),
      };
      return [{ ...part, functionCall }];
    }
    const index = isRecord(part.inlineData) ? part.inlineData.imageIndex : undefined;
    if (index === undefined) return [part];
    const image = message.images?.[Number(index)];
    return image ? [{ ...part, inlineData: { mimeType: image.mimeType, data: image.data } }] : [];
  });
}
