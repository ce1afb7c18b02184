import type { ModelInfo, ProviderInfo } from "@/lib/browser/models-response";

export interface FoundModel {
  provider: ProviderInfo;
  model: ModelInfo;
  /** A request would find a key, or none is needed. */
  ready: boolean;
}

export interface ModelGroup {
  provider: ProviderInfo;
  ready: boolean;
  models: FoundModel[];
}

/**
 * The models that have all words of a search, by provider: those that can be used first. The model whose id or name is the
 * search itself leads its provider, and its provider the list.
 * @param isReady whether a provider can be used
 */
export function findModels(
  providers: ProviderInfo[],
  search: string,
  isReady: (provider: ProviderInfo) => boolean,
): ModelGroup[] {
  const wanted = search.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  const groups: (ModelGroup & { rank: number })[] = [];
  for (const provider of providers) {
    const ready = isReady(provider);
    const ranked = provider.models
      .map((model) => ({ model, rank: rankOf(model, provider, wanted, words) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank);
    if (ranked.length === 0) continue;
    groups.push({
      provider,
      ready,
      rank: (ranked[0]?.rank ?? 0) * 2 + (ready ? 1 : 0),
      models: ranked.map(({ model }) => ({ provider, model, ready })),
    });
  }
  return groups.sort((a, b) => b.rank - a.rank);
}

/** 0: not wanted; higher is nearer. */
function rankOf(model: ModelInfo, provider: ProviderInfo, wanted: string, words: string[]): number {
  const id = model.id.toLowerCase();
  const name = model.name.toLowerCase();
  if (wanted !== "" && (id === wanted || name === wanted)) return 2;
  const text = `${name} ${id} ${provider.name.toLowerCase()}`;
  return words.every((word) => text.includes(word)) ? 1 : 0;
}
