import type { PublicList } from "./public-list";
import type { FolderReport } from "./refresh-folder";

/** What a refresh changed, in lines: a provider and below it each model. */
export function reportLines(
  report: FolderReport,
  { faults }: Pick<PublicList, "faults">,
  prune = false,
): string[] {
  const lines: string[] = [];
  for (const { id, added, changed, gone } of report.providers) {
    const counts = `${added.length} new, ${changed.length} changed, ${gone.length} gone`;
    if (added.length + changed.length + gone.length > 0) lines.push(`${id}: ${counts}`);
    lines.push(...added.map((model) => `  + ${model}`));
    for (const { id: model, fields } of changed) {
      lines.push(`  ~ ${model}`, ...fields.map((field) => `      ${field}`));
    }
    lines.push(...gone.map((model) => `  - ${model}${prune ? "" : " (kept)"}`));
  }
  if (lines.length === 0) lines.push("Nothing has changed.");
  if (report.unlisted.length > 0) lines.push(`Not in the list: ${report.unlisted.join(", ")}.`);
  lines.push(...faults.map((fault) => `Left out: ${fault}`));
  return lines;
}
