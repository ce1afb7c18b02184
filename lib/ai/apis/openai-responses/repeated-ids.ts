import { isLoose, type Loose } from "./loose.ts";

const longestId = 64;

/**
 * The items with every id once ("Duplicate item found with id"): some hosts count ids anew in every answer, and ours must not
 * meet theirs. Reasoning is bound to its id, so a second one goes, and with it the id of the item that it led to.
 */
export function withoutRepeatedIds(items: unknown[]): unknown[] {
  const seen = new Set<string>();
  let orphaned = false;
  return items.flatMap((item): unknown[] => {
    if (!isLoose(item) || typeof item.id !== "string") return [item];
    const isReasoning = item.type === "reasoning";
    const repeats = seen.has(item.id);
    if (isReasoning && repeats) {
      orphaned = true;
      return [];
    }
    if (!repeats && !(orphaned && !isReasoning)) {
      seen.add(item.id);
      return [item];
    }
    if (!isReasoning) orphaned = false;
    return [withOtherId(item, item.id, seen)];
  });
}

/** Calls go without; a message and what the vendor's own tools made need an id, and any will do. */
function withOtherId(item: Loose, id: string, seen: Set<string>): Loose {
  if (item.type === "function_call" || item.type === "custom_tool_call") {
    const { id: _repeated, ...rest } = item;
    return rest;
  }
  let other = id;
  for (let count = 2; other === id || seen.has(other); count++) {
    const suffix = `_${count}`;
    other = id.slice(0, longestId - suffix.length) + suffix;
  }
  seen.add(other);
  return { ...item, id: other };
}
