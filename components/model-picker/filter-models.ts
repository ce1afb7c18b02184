import type { ModelInfo, ProviderInfo } from "@/lib/browser/models-response";

export interface ModelGroup {
  provider: ProviderInfo;
  /** Can be used now: the server has a key, none is needed, or the person saved one. */
  ready: boolean;
  models: ModelInfo[];
}

/**
 * The models that match every word of the search, by provider: providers that can be used now come first. A provider's
 * name matches all of its models.
 *
 * @param hasOwnKey providers for which this browser keeps a key
 */
export function filterModels(
  providers: readonly ProviderInfo[],
  search: string,
  hasOwnKey: (providerId: string) => boolean,
): ModelGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const groups: ModelGroup[] = [];
  for (const provider of providers) {
    const models =
      words.length === 0
        ? provider.models
        : provider.models.filter((model) => {
            const text = `${model.name} ${model.id} ${provider.name} ${provider.id}`.toLowerCase();
            return words.every((word) => text.includes(word));
          });
    if (models.length === 0) continue;
    const ready = provider.configured || hasOwnKey(provider.id);
    groups.push({ provider, ready, models });
  }
  return groups.sort((a, b) => Number(b.ready) - Number(a.ready));
}
