import { isRecord, type Loose } from "../../vendor-json.ts";

/** Fields in which hosts give and take thinking as plain text. Some fill two with the same text: the first one counts. */
export const reasoningFields = ["reasoning_content", "reasoning", "reasoning_text"] as const;
export type ReasoningField = (typeof reasoningFields)[number];

/** What a thinking block's signature says of how it goes back: under which field, or as the vendor's own details. */
export type ReasoningReplay = { field: ReasoningField } | { details: Loose[] };

export function readSignature(signature: string | undefined): ReasoningReplay | undefined {
  if (!signature) return undefined;
  const field = reasoningFields.find((name) => name === signature);
  if (field) return { field };
  if (!signature.startsWith("[")) return undefined;
  try {
    const details: unknown = JSON.parse(signature);
    return Array.isArray(details) ? { details: details.filter(isRecord) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The `reasoning_details` of one thinking block as they stream in. Pieces of one text or summary become one detail; all else
 * is kept as it came.
 */
export class ReasoningDetails {
  private readonly details: Loose[] = [];

  get isEmpty(): boolean {
    return this.details.length === 0;
  }

  /** Whether they hold what the plain text does not: a signature or encrypted thinking. */
  get isSigned(): boolean {
    return this.details.some((detail) => detail.signature || detail.data);
  }

  /** Whether there is nothing in them that a person could read. */
  get isOpaque(): boolean {
    return this.details.every((detail) => textKey(detail) === undefined);
  }

  add(detail: Loose): void {
    const last = this.details.at(-1);
    if (last && continues(last, detail)) {
      for (const [key, value] of Object.entries(detail)) {
        const isText = (key === "text" || key === "summary") && typeof value === "string";
        if (isText) last[key] = (typeof last[key] === "string" ? last[key] : "") + value;
        else if (value !== null && value !== undefined) last[key] = value;
      }
    } else {
      this.details.push({ ...detail });
    }
  }

  toSignature(): string {
    return JSON.stringify(this.details);
  }
}

function textKey(detail: Loose): "text" | "summary" | undefined {
  if (typeof detail.text === "string" || detail.type === "reasoning.text") return "text";
  return typeof detail.summary === "string" ? "summary" : undefined;
}

function continues(last: Loose, next: Loose): boolean {
  if (last.type !== next.type || textKey(last) === undefined || textKey(next) === undefined) {
    return false;
  }
  const same = (key: string): boolean => !last[key] || !next[key] || last[key] === next[key];
  return (last.index ?? 0) === (next.index ?? 0) && same("id") && same("signature");
}
