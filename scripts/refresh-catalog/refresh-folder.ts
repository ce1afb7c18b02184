import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogEntry } from "@/lib/ai/catalog/catalog-models";
import type { PublicList } from "./public-list";
import { type Refreshed, refreshProvider } from "./refresh-provider";

/** The list's own names of our providers, where they are others. */
const listIds: Record<string, string> = { fireworks: "fireworks-ai", together: "togetherai" };

export interface FolderReport {
  providers: (Refreshed & { id: string })[];
  /** Providers of ours that the list does not have; their files stay as they are. */
  unlisted: string[];
  /** Files that were written, or would have been. */
  written: string[];
}

/** Refreshes the catalog's data files in a folder: one per provider, named after it. */
export async function refreshFolder(
  folder: string,
  list: PublicList,
  options: { prune?: boolean; dryRun?: boolean } = {},
): Promise<FolderReport> {
  const report: FolderReport = { providers: [], unlisted: [], written: [] };
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  for (const file of files) {
    const id = file.slice(0, -".json".length);
    const listed = list.providers.get(listIds[id] ?? id);
    if (!listed) {
      report.unlisted.push(id);
      continue;
    }
    const path = join(folder, file);
    const known = JSON.parse(await readFile(path, "utf8")) as CatalogEntry[];
    const refreshed = refreshProvider(known, listed, options);
    report.providers.push({ id, ...refreshed });
    const { added, changed, gone } = refreshed;
    if (added.length + changed.length + (options.prune ? gone.length : 0) === 0) continue;
    report.written.push(path);
    // On one line, as the formatter leaves objects open that are written so.
    if (!options.dryRun) await writeFile(path, `${JSON.stringify(refreshed.entries)}\n`);
  }
  return report;
}
