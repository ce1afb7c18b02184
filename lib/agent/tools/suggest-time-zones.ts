/** Large cities whose zone bears another city's name. */
const CITIES: Record<string, string> = {
  bangalore: "Asia/Kolkata",
  barcelona: "Europe/Madrid",
  beijing: "Asia/Shanghai",
  boston: "America/New_York",
  delhi: "Asia/Kolkata",
  frankfurt: "Europe/Berlin",
  geneva: "Europe/Zurich",
  hamburg: "Europe/Berlin",
  hanoi: "Asia/Ho_Chi_Minh",
  kyoto: "Asia/Tokyo",
  milan: "Europe/Rome",
  mumbai: "Asia/Kolkata",
  munich: "Europe/Berlin",
  osaka: "Asia/Tokyo",
  rio: "America/Sao_Paulo",
  sanfrancisco: "America/Los_Angeles",
  seattle: "America/Los_Angeles",
  shenzhen: "Asia/Shanghai",
  washington: "America/New_York",
};

const MOST = 3;
const LONGEST_NAME = 100;

/** IANA zones that a name that is none may have meant: by city, by part of a name, by a slip of the keys. */
export function suggestTimeZones(name: string): string[] {
  const wanted = lettersOf(name.slice(0, LONGEST_NAME));
  if (wanted.length < 3) return [];
  const other = Object.entries(CITIES).find(([city]) => wanted.includes(city))?.[1];
  const zones = Intl.supportedValuesOf("timeZone");
  const scored = zones
    .map((zone) => ({ zone, distance: distanceTo(zone, wanted) }))
    .filter(({ distance }) => distance <= 2)
    .sort((a, b) => a.distance - b.distance)
    .map(({ zone }) => zone);
  return [...new Set(other ? [other, ...scored] : scored)].slice(0, MOST);
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, "");

/** 0: the city or the whole name is the same; 1: one holds the other; else the number of slips. */
function distanceTo(zone: string, wanted: string): number {
  const city = lettersOf(zone.slice(zone.lastIndexOf("/") + 1));
  const whole = lettersOf(zone);
  if (city === wanted || whole === wanted) return 0;
  if (city.length >= 4 && (wanted.includes(city) || city.includes(wanted))) return 1;
  return Math.min(slips(city, wanted), slips(whole, wanted)) + 1;
}

/** Single letters to add, drop or change to get from one text to the other. */
function slips(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
