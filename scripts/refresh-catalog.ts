/**
 * `npm run refresh-catalog -- [file|url] [--dry-run] [--prune]`: brings the facts in lib/ai/catalog up to date with the public
 * list of models (models.dev's `api.json`) and prints what has changed. How models are asked stays as the catalog has it.
 * `--dry-run` writes nothing; `--prune` drops models that the list does not have any more.
 */

import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { reportLines } from "./refresh-catalog/print-report";
import { readPublicList } from "./refresh-catalog/public-list";
import { refreshFolder } from "./refresh-catalog/refresh-folder";
import { root } from "./setup/root.mjs";
import { runPackage } from "./setup/run-command.mjs";

const usage = "npm run refresh-catalog -- [file|url] [--dry-run] [--prune]";
const publicList = "https://models.dev/api.json";
const folder = join(root, "lib/ai/catalog");

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { "dry-run": { type: "boolean" }, prune: { type: "boolean" } },
  });
  if (positionals.length > 1) throw new Error(usage);
  const { "dry-run": dryRun = false, prune = false } = values;
  const list = await readPublicList(locate(positionals[0] ?? publicList));
  const report = await refreshFolder(folder, list, { dryRun, prune });
  console.log(reportLines(report, list, prune).join("\n"));
  if (report.written.length > 0 && !dryRun) {
    await format(report.written);
    await noteDate();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** A relative file counts from where the person stands, even when npm has gone to the repository's root. */
function locate(place: string): string {
  if (/^https?:\/\//.test(place) || existsSync(place)) return place;
  return resolve(process.env.INIT_CWD ?? ".", place);
}

async function format(files: string[]): Promise<void> {
  const status = await runPackage("@biomejs/biome/bin/biome", ["format", "--write", ...files]);
  if (status !== 0) throw new Error("The files were written, but could not be formatted.");
}

async function noteDate(): Promise<void> {
  const path = join(folder, "README.md");
  const today = new Date().toISOString().slice(0, 10);
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace(/(lists on )\d{4}-\d{2}-\d{2}/, `$1${today}`));
}
