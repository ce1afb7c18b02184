import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A folder of the reference material that may lie beside the repository; undefined where it does not. */
export function sharedFolder(name: "wire" | "faults" | "catalog"): string | undefined {
  const folder = join(root, "..", "shared", name);
  return existsSync(folder) ? folder : undefined;
}

/** Our own small recordings, in the vendors' shapes. */
export const ownCases = join(root, "scripts/wire-cases/fixtures");

/** The case folders below `cases/<api>/` or `cases/`, in order of name: whatever holds a meta.json. */
export function caseFolders(folder: string): string[] {
  if (existsSync(join(folder, "meta.json"))) return [folder];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .flatMap((name) => caseFolders(join(folder, name)));
}
