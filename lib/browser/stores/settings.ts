import { create, type StateCreator } from "zustand";
import type { ThinkingLevel } from "@/lib/ai/types";
import type { ToolMode } from "@/lib/run/request";
import { announceChange, onChange } from "../changes";
import { toStorageError } from "../db/errors";
import type { ModelRef } from "../db/rows";
import { readSettings, storeGeneralSettings, storeProviderSettings } from "../db/settings";
import { checkProviderSettings, type ProviderSettings } from "../provider-settings";

export interface GeneralSettings {
  theme: "system" | "light" | "dark";
  systemPrompt?: string;
  /** A tool that is not named does what the server says, else "auto". */
  tools: Record<string, ToolMode>;
  favourites: ModelRef[];
  /** The model that was last sent to. */
  lastModel?: ModelRef;
  /** The level of new conversations. */
  thinkingLevel: ThinkingLevel;
}

export interface SettingsStore extends GeneralSettings {
  providers: Record<string, ProviderSettings>;
  loaded: boolean;
  /** Settings could not be read; a sentence for people. */
  error?: string;
  /** Reads the settings, and keeps them in step with the other tabs. Never rejects. */
  load(): Promise<void>;
  /** Shown at once, stored when it resolves. An explicit undefined takes a setting back. @throws {StorageError} */
  set(patch: Partial<GeneralSettings>): Promise<void>;
  /**
   * Changes a provider's settings, null forgets them. A key is bound to the host that it was saved for: a base URL on
   * another host without a new key forgets the old key.
   *
   * @throws {StorageError} and an Error with a sentence when the key or the base URL cannot be one
   */
  setProvider(providerId: string, patch: Partial<ProviderSettings> | null): Promise<void>;
}

const DEFAULTS: GeneralSettings = {
  theme: "system",
  systemPrompt: undefined,
  tools: {},
  favourites: [],
  lastModel: undefined,
  thinkingLevel: "off",
};

export function settingsStore(): StateCreator<SettingsStore> {
  return (set, get) => {
    let watching = false;
    let reading: Promise<void> | undefined;

    async function read(): Promise<void> {
      try {
        const { general, providers } = await readSettings();
        set({ ...DEFAULTS, ...known(general), providers, loaded: true, error: undefined });
      } catch (error) {
        const { message, nextStep } = toStorageError(error);
        set({ loaded: true, error: `${message} ${nextStep}` });
      }
    }

    return {
      ...DEFAULTS,
      providers: {},
      loaded: false,
      load() {
        if (!watching) {
          watching = true;
          onChange((change, from) => {
            if (change.kind === "settings" && from === "elsewhere") void get().load();
          });
        }
        reading ??= read().finally(() => {
          reading = undefined;
        });
        return reading;
      },
      async set(patch) {
        const defined = Object.entries(patch).filter(([, value]) => value !== undefined);
        const taken = Object.keys(patch).filter((name) => !defined.some(([own]) => own === name));
        const back = Object.fromEntries(
          taken.map((name) => [name, DEFAULTS[name as keyof GeneralSettings]]),
        );
        set({ ...Object.fromEntries(defined), ...back });
        await storeGeneralSettings(patch);
        announceChange({ kind: "settings" });
      },
      async setProvider(providerId, patch) {
        if (!get().loaded) await get().load();
        const settings = patch && checkProviderSettings(get().providers[providerId] ?? {}, patch);
        await storeProviderSettings(providerId, settings);
        const { [providerId]: _old, ...others } = get().providers;
        set({ providers: settings ? { ...others, [providerId]: settings } : others });
        announceChange({ kind: "settings" });
      },
    };
  };
}

function known(general: Partial<GeneralSettings>): Partial<GeneralSettings> {
  const names = Object.keys(DEFAULTS) as (keyof GeneralSettings)[];
  return Object.fromEntries(
    names.filter((name) => general[name] !== undefined).map((name) => [name, general[name]]),
  );
}

export const useSettings = create<SettingsStore>()(settingsStore());
