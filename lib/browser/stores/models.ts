import { create, type StateCreator } from "zustand";
import type { ModelRef } from "../db/rows";
import {
  type ModelInfo,
  type ProviderInfo,
  parseModelsResponse,
  type ToolInfo,
  type ToolProblem,
} from "../models-response";

export interface ModelsStore {
  providers: ProviderInfo[];
  tools: ToolInfo[];
  toolProblems?: ToolProblem[];
  /** The list was read at least once. */
  loaded: boolean;
  /** Why it could not be read; a sentence for people. The last known one stays. */
  error?: string;
  /** Reads the list from the server. Never rejects. */
  load(): Promise<void>;
  find(model: ModelRef | undefined): { provider: ProviderInfo; model: ModelInfo } | undefined;
}

export function modelsStore(
  fetchModels: () => Promise<Response> = () => fetch("/api/models", { cache: "no-store" }),
): StateCreator<ModelsStore> {
  return (set, get) => {
    let reading: Promise<void> | undefined;

    async function read(): Promise<void> {
      let response: Response;
      try {
        response = await fetchModels();
      } catch {
        set({ error: "The models cannot be listed: Rill's server cannot be reached." });
        return;
      }
      try {
        if (!response.ok) throw new Error(`Rill's server answered with status ${response.status}.`);
        const body: unknown = await response.json().catch(() => undefined);
        set({ toolProblems: [], ...parseModelsResponse(body), loaded: true, error: undefined });
      } catch (error) {
        set({ error: error instanceof Error ? error.message : "The models cannot be listed." });
      }
    }

    return {
      providers: [],
      tools: [],
      loaded: false,
      load() {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        return reading;
      },
      find(wanted) {
        const provider = get().providers.find(({ id }) => id === wanted?.provider);
        const model = provider?.models.find(({ id }) => id === wanted?.id);
        return provider && model && { provider, model };
      },
    };
  };
}

export const useModels = create<ModelsStore>()(modelsStore());
