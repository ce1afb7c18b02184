import { isLoose, type Loose, textOf } from "./loose.ts";

/** What a text block's signature holds: the message item's id, and its phase where the vendor tells one. */
export interface TextSignature {
  v: 1;
  id: string;
  phase?: string;
}

export function textSignature(item: Loose): string | undefined {
  const id = textOf(item.id);
  const phase = textOf(item.phase);
  if (!id && !phase) return undefined;
  const signature: TextSignature = { v: 1, id: id ?? "", ...(phase && { phase }) };
  return JSON.stringify(signature);
}

/** The signature's fields; a signature in another form counts as none. */
export function readTextSignature(signature: string | undefined): Partial<TextSignature> {
  const parsed = parse(signature);
  if (parsed?.v !== 1) return {};
  const id = textOf(parsed.id);
  const phase = textOf(parsed.phase);
  return { ...(id && { id }), ...(phase && { phase }) };
}

/** The reasoning item that a thinking block's signature is, or undefined when it is not one. */
export function readReasoningItem(signature: string | undefined): Loose | undefined {
  const parsed = parse(signature);
  return parsed?.type === "reasoning" ? parsed : undefined;
}

function parse(text: string | undefined): Loose | undefined {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isLoose(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Our id of a call: the vendor's call id, and behind a bar the id of the item that it came in, if there is one. */
export function joinCallId(callId: string, itemId: string | undefined): string {
  return itemId ? `${callId}|${itemId}` : callId;
}

export function splitCallId(id: string): { callId: string; itemId: string | undefined } {
  const bar = id.indexOf("|");
  return bar < 0
    ? { callId: id, itemId: undefined }
    : { callId: id.slice(0, bar), itemId: id.slice(bar + 1) || undefined };
}
