import type { AgentTool, AgentToolResult } from "../types.ts";
import { suggestTimeZones } from "./suggest-time-zones.ts";

/** The time now in an IANA zone. `details` is `{iso, timeZone}`, with the zone's offset in `iso`. */
export function getCurrentTimeTool(now: () => number = Date.now): AgentTool {
  return {
    name: "get_current_time",
    label: "Current time",
    description:
      "Tells the current date, weekday and time in a time zone. Use it whenever the answer depends on today's date or on the time.",
    parameters: {
      type: "object",
      properties: {
        timeZone: {
          type: "string",
          description: 'IANA time zone such as "Asia/Tokyo" or "Europe/Berlin". Default: "UTC".',
        },
      },
      additionalProperties: false,
    },
    execute: async (_toolCallId, args) => tellTime(now(), String(args.timeZone ?? "").trim()),
  };
}

function tellTime(now: number, askedFor: string): AgentToolResult {
  const timeZone = zoneNamed(askedFor || "UTC");
  const parts = partsOf(now, timeZone);
  const offset = parts.timeZoneName.replace("GMT", "") || "+00:00";
  const iso = `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}${offset}`;
  const inWords = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat("en", { timeZone, ...options }).format(now);
  const month = inWords({ month: "long" });
  const day = `${inWords({ weekday: "long" })}, ${Number(parts.day)} ${month} ${parts.year}`;
  const text = `${day}, ${parts.hour}:${parts.minute}:${parts.second} in ${timeZone} (UTC${offset})\n${iso}`;
  return { content: [{ type: "text", text }], details: { iso, timeZone } };
}

function zoneNamed(name: string): string {
  try {
    const canonical = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    // Platforms resolve Asia/Kolkata to its old name: only the case is taken from them.
    return canonical.toLowerCase() === name.toLowerCase() ? canonical : name;
  } catch {
    const suggestions = suggestTimeZones(name);
    const hint =
      suggestions.length > 0
        ? `Did you mean ${suggestions.map((zone) => `"${zone}"`).join(" or ")}?`
        : 'Use an IANA name such as "Europe/Paris".';
    throw new Error(`"${name}" is not an IANA time zone. ${hint}`);
  }
}

type TimePart = "year" | "month" | "day" | "hour" | "minute" | "second" | "timeZoneName";

function partsOf(now: number, timeZone: string): Record<TimePart, string> {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "longOffset",
  });
  return Object.fromEntries(
    format.formatToParts(now).map((part) => [part.type, part.value]),
  ) as Record<TimePart, string>;
}
