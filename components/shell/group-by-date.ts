export interface DateGroup<Row> {
  label: string;
  rows: Row[];
}

const DAY = 24 * 60 * 60 * 1000;

/** Rows, newest first, under "Today", "Yesterday", "Last 7 days", "Last 30 days" and the months before. */
export function groupByDate<Row extends { updatedAt: number }>(
  rows: readonly Row[],
  now: number,
): DateGroup<Row>[] {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const groups: DateGroup<Row>[] = [];
  for (const row of rows) {
    const label = labelFor(row.updatedAt, today);
    const last = groups.at(-1);
    if (last?.label === label) last.rows.push(row);
    else groups.push({ label, rows: [row] });
  }
  return groups;
}

function labelFor(time: number, today: number): string {
  if (time >= today) return "Today";
  if (time >= today - DAY) return "Yesterday";
  if (time >= today - 7 * DAY) return "Last 7 days";
  if (time >= today - 30 * DAY) return "Last 30 days";
  return new Date(time).toLocaleDateString("en", { month: "long", year: "numeric" });
}
