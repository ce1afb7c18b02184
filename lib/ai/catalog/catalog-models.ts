import type { Model } from "../types.ts";

/** A model as the data files hold it: the provider is the file's name. */
export type CatalogEntry = Omit<Model, "provider">;

/**
 * The models of one data file.
 * @param facts the file's array, which TypeScript cannot type more narrowly than its JSON
 */
export function catalogModels(provider: string, facts: unknown): Model[] {
  return (facts as CatalogEntry[]).map((entry) => ({ ...entry, provider }));
}
