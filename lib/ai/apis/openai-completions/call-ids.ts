import type { OpenAICompletionsCompat } from "../../compat.ts";
import { shortHash } from "../../text.ts";
import { isSameModel, type TransformOptions } from "../../transform-messages.ts";
import type { Message, Model } from "../../types.ts";
import { isOpenAIHost } from "./compat.ts";

const longestId = 40;
const shortId = /^[A-Za-z0-9]{9}$/;

/** How ids of calls are written for this host. The same transcript gives the same ids. */
export function callIdForms(
  model: Model,
  messages: Message[],
  compat: OpenAICompletionsCompat,
): Pick<TransformOptions, "normalizeToolCallId" | "distinctToolCallId"> {
  return compat.requiresShortToolCallIds
    ? { normalizeToolCallId: shortIds(model, messages), distinctToolCallId: shortIdFor }
    : { normalizeToolCallId: plainIds(model) };
}

function plainIds(model: Model): (id: string) => string {
  return (id) => {
    const bar = id.indexOf("|");
    if (bar < 0) return isOpenAIHost(model) ? id.slice(0, longestId) : id;
    const clean = (part: string): string => part.replace(/[^A-Za-z0-9_-]/g, "_");
    const call = clean(id.slice(0, bar));
    const whole = `${call}_${clean(id.slice(bar + 1))}`;
    if (whole.length <= longestId) return whole;
    const hash = shortHash(id);
    return `${call.slice(0, longestId - hash.length - 1)}_${hash}`;
  };
}

/** Nine letters and digits, each one used once. */
function shortIds(model: Model, messages: Message[]): (id: string) => string {
  const taken = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant" || !isSameModel(message, model)) continue;
    for (const block of message.content ?? []) if (block.type === "toolCall") taken.add(block.id);
  }
  return (id) => {
    let short = id;
    for (let count = 0; !shortId.test(short) || taken.has(short); count++) {
      short = shortIdFor(id, count);
    }
    taken.add(short);
    return short;
  };
}

function shortIdFor(id: string, count: number): string {
  return (shortHash(`${id}#${count}`) + shortHash(`${count}#${id}`)).slice(0, 9);
}
