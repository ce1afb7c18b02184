import { create } from "zustand";
import type { ModelRef } from "../db/rows";
import type { ModelInfo, ProviderInfo, ToolInfo } from "../models-response";

export interface ModelsStore {
  providers: ProviderInfo[];
  tools: ToolInfo[];
  loaded: boolean;
  /** Why they could not be read; a sentence for people. The last known ones stay. */
  error?: string;
  load(): Promise<void>;
  find(model: ModelRef | undefined): { provider: ProviderInfo; model: ModelInfo } | undefined;
}

export const useModels = create<ModelsStore>()(() => {
  throw new Error("not written yet");
});
