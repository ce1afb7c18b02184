import { create } from "zustand";
import type { ThinkingLevel } from "@/lib/ai/types";
import type { ModelRef } from "../db/rows";

export interface ProviderSettings {
  apiKey?: string;
  baseUrl?: string;
}

export interface GeneralSettings {
  theme: "system" | "light" | "dark";
  systemPrompt?: string;
  /** A tool that is not named is "auto". */
  tools: Record<string, "auto" | "off">;
  favourites: ModelRef[];
  /** The model that was last sent to. */
  lastModel?: ModelRef;
  /** The level of new conversations. */
  thinkingLevel: ThinkingLevel;
}

export interface SettingsStore extends GeneralSettings {
  providers: Record<string, ProviderSettings>;
  loaded: boolean;
  /** Settings could not be read or written; a sentence for people. */
  error?: string;
  load(): Promise<void>;
  /** An explicit undefined takes a setting back. */
  set(patch: Partial<GeneralSettings>): Promise<void>;
  /**
   * Changes a provider's settings, null forgets them. A key is bound to the host that it was saved for: a base URL on
   * another host without a new key forgets the old key. Rejects with a sentence when the base URL is none.
   */
  setProvider(providerId: string, patch: Partial<ProviderSettings> | null): Promise<void>;
}

export const useSettings = create<SettingsStore>()(() => {
  throw new Error("not written yet");
});
