const MAX_LENGTH = 60;

/** The title of a new conversation: the start of its first message on one line, cut at a word where one ends nearby. */
export function titleFrom(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (line === "") return "New chat";
  const characters = Array.from(
    new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(line.slice(0, 2000)),
    (part) => part.segment,
  );
  if (characters.length <= MAX_LENGTH) return characters.join("");
  const cut = characters.slice(0, MAX_LENGTH - 1).join("");
  const lastSpace = cut.lastIndexOf(" ");
  return `${lastSpace > cut.length * 0.6 ? cut.slice(0, lastSpace) : cut}…`;
}
