import type { Model } from "../types.ts";

/** Listed models in the place of those with the same type and id, the others behind (P-124). */
export function mergeModels(baseline: readonly Model[], listed: readonly Model[]): Model[] {
  const merged = new Map(baseline.map((model) => [keyOf(model), model]));
  for (const model of listed) merged.set(keyOf(model), model);
  return [...merged.values()];
}

const keyOf = (model: Model): string => `${model.type ?? "chat"}\n${model.id}`;
