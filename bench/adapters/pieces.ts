/** The same numbers in every process and on every machine (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words =
  "the stream of a river runs over stones and under bridges, while light – warm and clear – falls on it; “nobody” counts waves.".split(
    " ",
  );

/** Words as a model's tokens come: short, the space in front, now and then a new line. */
export function textPieces(count: number): string[] {
  const random = seeded(1);
  return Array.from({ length: count }, (_, index) => {
    const word = words[Math.floor(random() * words.length)] as string;
    return `${index % 40 === 39 ? "\n\n" : " "}${word}`;
  });
}

export interface Edit {
  line: number;
  text: string;
}

/** What a coding tool is asked to do: a path, a whole file as one long string, and a list of small changes. */
export interface ToolArguments {
  path: string;
  content: string;
  edits: Edit[];
}

/** Arguments whose JSON is about that long, three quarters of it one string. */
export function toolArguments(kilobytes: number): ToolArguments {
  const random = seeded(2);
  const bytes = kilobytes * 1000;
  const line = (index: number): string =>
    `  const value${index} = read("${words[Math.floor(random() * words.length)]}", ${Math.floor(random() * 1000)}); // ${words[index % words.length]}`;
  let content = "";
  for (let index = 0; content.length < bytes * 0.68; index++) content += `${line(index)}\n`;
  const edits: Edit[] = [];
  for (let size = 0; size < bytes * 0.22; size += 80) {
    edits.push({ line: edits.length * 3 + 1, text: line(edits.length) });
  }
  return { path: "src/river/stones.ts", content, edits };
}

/** Cuts a text as vendors cut arguments: a token or two at a time, 2 to 10 characters. */
export function cut(text: string): string[] {
  const random = seeded(3);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const length = 2 + Math.floor(random() * 9);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
