// Cities that people ask for and that are not a time zone's own name.
const cities: Record<string, string> = {
  beijing: "Asia/Shanghai",
  shenzhen: "Asia/Shanghai",
  guangzhou: "Asia/Shanghai",
  hangzhou: "Asia/Shanghai",
  osaka: "Asia/Tokyo",
  kyoto: "Asia/Tokyo",
  japan: "Asia/Tokyo",
  china: "Asia/Shanghai",
  korea: "Asia/Seoul",
  mumbai: "Asia/Kolkata",
  delhi: "Asia/Kolkata",
  bangalore: "Asia/Kolkata",
  india: "Asia/Kolkata",
  "san francisco": "America/Los_Angeles",
  seattle: "America/Los_Angeles",
  "las vegas": "America/Los_Angeles",
  california: "America/Los_Angeles",
  boston: "America/New_York",
  washington: "America/New_York",
  miami: "America/New_York",
  austin: "America/Chicago",
  houston: "America/Chicago",
  dallas: "America/Chicago",
  montreal: "America/Toronto",
  rio: "America/Sao_Paulo",
  munich: "Europe/Berlin",
  hamburg: "Europe/Berlin",
  frankfurt: "Europe/Berlin",
  germany: "Europe/Berlin",
  france: "Europe/Paris",
  milan: "Europe/Rome",
  italy: "Europe/Rome",
  barcelona: "Europe/Madrid",
  spain: "Europe/Madrid",
  geneva: "Europe/Zurich",
  edinburgh: "Europe/London",
  england: "Europe/London",
  uk: "Europe/London",
  melbourne: "Australia/Melbourne",
  "cape town": "Africa/Johannesburg",
  "tel aviv": "Asia/Jerusalem",
  utc: "UTC",
  gmt: "UTC",
};

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const hasWord = (text: string, word: string): boolean =>
  new RegExp(`(^|[^\\p{L}])${escapePattern(word)}($|[^\\p{L}])`, "iu").test(text);

/** The IANA time zones of the places that a question names, in the order of the question. */
export function timeZonesIn(question: string): string[] {
  const found = new Map<string, number>();
  const note = (zone: string, word: string): void => {
    const at = question.toLowerCase().indexOf(word.toLowerCase());
    if (!found.has(zone)) found.set(zone, at);
  };
  for (const [city, zone] of Object.entries(cities)) if (hasWord(question, city)) note(zone, city);
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    if (question.includes(zone)) note(zone, zone);
    else if (zone.includes("/")) {
      const city = (zone.split("/").at(-1) as string).replaceAll("_", " ");
      if (city.length > 3 && hasWord(question, city)) note(zone, city);
    }
  }
  return [...found].sort(([, a], [, b]) => a - b).map(([zone]) => zone);
}
