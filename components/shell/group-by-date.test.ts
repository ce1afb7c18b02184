import { describe, expect, it } from "vitest";
import { groupByDate } from "./group-by-date";

describe("conversations by date", () => {
  it("puts each under the newest heading that fits", () => {
    const now = new Date(2026, 4, 20, 15).getTime();
    const at = (month: number, day: number, hour = 12) => ({
      updatedAt: new Date(2026, month, day, hour).getTime(),
    });
    const rows = [at(4, 20, 14), at(4, 20, 0), at(4, 19, 23), at(4, 15), at(4, 1), at(1, 3)];
    expect(groupByDate(rows, now).map((group) => [group.label, group.rows.length])).toEqual([
      ["Today", 2],
      ["Yesterday", 1],
      ["Last 7 days", 1],
      ["Last 30 days", 1],
      ["February 2026", 1],
    ]);
  });
});
