import type { ConversationRow } from "@/lib/browser/db/rows";

const DAY_MS = 86_400_000;

/** Rows under headings by when they were last written to; the order inside stays. */
export function byAge(
  rows: ConversationRow[],
  now: number,
): { label: string; rows: ConversationRow[] }[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const groups = new Map<string, ConversationRow[]>();
  for (const row of rows) {
    const label = labelFor(row.updatedAt, midnight);
    const group = groups.get(label);
    if (group) group.push(row);
    else groups.set(label, [row]);
  }
  return [...groups].map(([label, group]) => ({ label, rows: group }));
}

function labelFor(time: number, midnight: number): string {
  if (time >= midnight) return "Today";
  if (time >= midnight - DAY_MS) return "Yesterday";
  if (time >= midnight - 7 * DAY_MS) return "Last 7 days";
  if (time >= midnight - 30 * DAY_MS) return "Last 30 days";
  return String(new Date(time).getFullYear());
}
