import { describe, expect, it } from "vitest";
import { textOf, user } from "../testing/harness.ts";
import { getCurrentTimeTool } from "./get-current-time.ts";

const at = async (iso: string, args: Record<string, unknown>) => {
  const time = getCurrentTimeTool(() => Date.parse(iso));
  const result = await time.execute("1", args, new AbortController().signal, () => {});
  return { text: textOf({ ...user(""), ...result }), details: result.details };
};

describe("get_current_time", () => {
  it.each([
    [
      "Asia/Tokyo",
      "2025-03-01T15:04:05Z",
      "Sunday, 2 March 2025, 00:04:05 in Asia/Tokyo (UTC+09:00)",
      "2025-03-02T00:04:05+09:00",
    ],
    [
      "America/New_York",
      "2025-07-04T03:00:00Z",
      "Thursday, 3 July 2025, 23:00:00 in America/New_York (UTC-04:00)",
      "2025-07-03T23:00:00-04:00",
    ],
    [
      "Asia/Kathmandu",
      "2025-01-01T00:00:00Z",
      "Wednesday, 1 January 2025, 05:45:00 in Asia/Kathmandu (UTC+05:45)",
      "2025-01-01T05:45:00+05:45",
    ],
  ])("tells the time in %s", async (timeZone, now, text, iso) => {
    const told = await at(now, { timeZone });
    expect(told.text).toContain(text);
    expect(told.text).toContain(iso);
    expect((told.details as { iso: string }).iso).toBe(iso);
  });

  it("takes UTC when no zone is given", async () => {
    const told = await at("2025-12-03T11:16:05Z", {});
    expect(told).toEqual({
      text: "Wednesday, 3 December 2025, 11:16:05 in UTC (UTC+00:00)\n2025-12-03T11:16:05+00:00",
      details: { iso: "2025-12-03T11:16:05+00:00", timeZone: "UTC" },
    });
  });

  it("takes a zone in any case, and names it as it is written", async () => {
    const told = await at("2025-12-03T11:16:05Z", { timeZone: " europe/berlin " });
    expect(told.details).toEqual({ iso: "2025-12-03T12:16:05+01:00", timeZone: "Europe/Berlin" });
  });

  it.each([
    ["Tokyo", '"Tokyo" is not an IANA time zone. Did you mean "Asia/Tokyo"?'],
    ["Europe/Berln", /Did you mean "Europe\/Berlin"/],
    ["San Francisco", /Did you mean "America\/Los_Angeles"/],
    ["Asia/Beijing", /Did you mean "Asia\/Shanghai"/],
    ["New York", /Did you mean "America\/New_York"/],
    ["??", '"??" is not an IANA time zone. Use an IANA name such as "Europe/Paris".'],
  ])("suggests a zone for %s", async (timeZone, message) => {
    await expect(at("2025-12-03T11:16:05Z", { timeZone })).rejects.toThrow(message);
  });
});
