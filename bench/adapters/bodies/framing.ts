/** Events as server-sent events, each under its own `type` where the vendor names them. */
export function frame(
  events: object[],
  { named = false, newline = "\n" }: { named?: boolean; newline?: string } = {},
): string {
  return events
    .map((event) => {
      const name = named ? `event: ${(event as { type: string }).type}${newline}` : "";
      return `${name}data: ${JSON.stringify(event)}${newline}${newline}`;
    })
    .join("");
}

/** OpenAI pads events to one of few lengths, so that nobody can tell a token by the size of its packet. */
export function padding(piece: string): string {
  return "VNnjaeIH5xHKPtq7".slice(0, Math.max(0, 16 - piece.length));
}
