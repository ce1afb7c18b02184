/** What endpoints have listed, kept for some minutes: no list is asked for twice at once, and none stays for ever. */

import { createHash } from "node:crypto";
import { mergeModels } from "@/lib/ai/listing/merge-models";
import type { Provider, ProviderListOptions } from "@/lib/ai/provider";
import type { Model } from "@/lib/ai/types";

export interface ListTerms extends Pick<ProviderListOptions, "apiKey" | "api" | "fetch"> {
  /** Somebody's own address. What it lists is for whoever named it, and for no resolving. */
  baseUrl?: string;
  /** Asked with a person's own key, so what only that key sees is not shown to others. */
  personal?: boolean;
  /** Asks even when a list is kept. */
  refresh?: boolean;
  timeoutMs?: number;
}

interface KeptList {
  providerId: string;
  own: boolean;
  shared: boolean;
  listedAt: number;
  models: Model[];
}

const keepMs = 5 * 60_000;
const maxLists = 64;

export class LiveModels {
  private readonly lists = new Map<string, KeptList>();
  private readonly underWay = new Map<string, Promise<Model[]>>();

  /** @param now in ms, for tests */
  constructor(private readonly now: () => number = Date.now) {}

  /**
   * The models that a provider lists on these terms. @throws ProviderError, or whatever the provider's list throws
   */
  list(provider: Provider, terms: ListTerms): Promise<Model[]> {
    const key = keyOf(provider, terms);
    const kept = this.lists.get(key);
    if (kept && !terms.refresh && this.now() - kept.listedAt < keepMs) {
      return Promise.resolve(kept.models);
    }
    const running = this.underWay.get(key) ?? this.ask(provider, terms, key);
    this.underWay.set(key, running);
    return running;
  }

  /** What everybody may see of a provider besides its baseline: the last list asked for without a person's key. */
  shown(providerId: string): Model[] {
    return this.newestFirst(providerId).find((list) => list.shared)?.models ?? [];
  }

  /** A model that the provider's own address has listed, whoever asked. */
  find(providerId: string, id: string): Model | undefined {
    for (const list of this.newestFirst(providerId)) {
      const model = list.own && list.models.find((candidate) => candidate.id === id);
      if (model) return model;
    }
    return undefined;
  }

  /** Shows no more what a provider has listed to everybody: it does not answer any more. */
  forget(providerId: string): void {
    for (const [key, list] of this.lists) {
      if (list.providerId === providerId && list.shared) this.lists.delete(key);
    }
  }

  private newestFirst(providerId: string): KeptList[] {
    return [...this.lists.values()].filter((list) => list.providerId === providerId).reverse();
  }

  private async ask(provider: Provider, terms: ListTerms, key: string): Promise<Model[]> {
    const { apiKey, api, fetch, baseUrl, timeoutMs } = terms;
    try {
      const models =
        (await provider.listModels?.({ apiKey, api, fetch, baseUrl, timeoutMs })) ?? [];
      const own = baseUrl === undefined;
      const shared = own && !terms.personal;
      this.keep(key, { providerId: provider.id, own, shared, listedAt: this.now(), models });
      return models;
    } finally {
      this.underWay.delete(key);
    }
  }

  private keep(key: string, list: KeptList): void {
    this.lists.delete(key);
    this.lists.set(key, list);
    for (const oldest of this.lists.keys()) {
      if (this.lists.size <= maxLists) break;
      this.lists.delete(oldest);
    }
  }
}

/** A provider's baseline with what was listed live (P-124). */
export function modelsWith(provider: Provider, listed: Model[]): Model[] {
  return mergeModels(provider.getModels(), listed);
}

/** Of the key only a digest is kept. */
function keyOf(provider: Provider, { apiKey, api, baseUrl, personal }: ListTerms): string {
  const digest = apiKey ? createHash("sha256").update(apiKey).digest("base64url") : "";
  return JSON.stringify([provider.id, baseUrl ?? "", api ?? "", personal ? digest : "server"]);
}
