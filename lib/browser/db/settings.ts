import { readDatabase, writeDatabase } from "./open";
import { parseRow } from "./parse-row";
import { generalSettingsSchema, providerSettingsSchema } from "./row-schemas";
import type { GeneralSettingsRow, ProviderSettingsRow } from "./rows";

const PROVIDER_PREFIX = "provider:";

export interface StoredSettings {
  general: Omit<GeneralSettingsRow, "id">;
  /** By provider id. */
  providers: Record<string, Omit<ProviderSettingsRow, "id">>;
}

export async function readSettings(): Promise<StoredSettings> {
  const rows = await readDatabase((database) => database.getAll("settings"));
  const settings: StoredSettings = { general: {}, providers: {} };
  for (const row of rows) {
    if (row.id === "general") {
      const general = parseRow<GeneralSettingsRow>(generalSettingsSchema, "settings", row.id, row);
      if (general) settings.general = withoutId(general);
    } else if (row.id.startsWith(PROVIDER_PREFIX)) {
      const provider = parseRow<ProviderSettingsRow>(
        providerSettingsSchema,
        "settings",
        row.id,
        row,
      );
      if (provider) {
        settings.providers[row.id.slice(PROVIDER_PREFIX.length)] = withoutId(provider);
      }
    }
  }
  return settings;
}

function withoutId<TRow extends { id: string }>(row: TRow): Omit<TRow, "id"> {
  const { id: _id, ...rest } = row;
  return rest;
}

/** Changes the general settings; an explicit undefined removes one. Resolves when it is stored. */
export function storeGeneralSettings(patch: Omit<GeneralSettingsRow, "id">): Promise<void> {
  return writeDatabase(["settings"], async (transaction) => {
    const store = transaction.objectStore("settings");
    const row = await store.get("general");
    await store.put({ ...row, ...patch, id: "general" });
  });
}

/**
 * Replaces a provider's settings, or forgets them with null. Unknown fields of the row stay.
 * Resolves when it is stored.
 */
export function storeProviderSettings(
  providerId: string,
  settings: { apiKey?: string; baseUrl?: string } | null,
): Promise<void> {
  return writeDatabase(["settings"], async (transaction) => {
    const store = transaction.objectStore("settings");
    const id: ProviderSettingsRow["id"] = `${PROVIDER_PREFIX}${providerId}`;
    if (!settings) {
      await store.delete(id);
      return;
    }
    const stored = (await store.get(id)) as ProviderSettingsRow | undefined;
    const { apiKey: _key, baseUrl: _url, ...rest } = stored ?? { id };
    await store.put({ ...rest, ...settings, id });
  });
}
