/** A stretch of text, with the address when it is a link. */
export interface TextRun {
  text: string;
  url?: string;
}

const ADDRESS = /https?:\/\/[!-~]+/g;

/**
 * A bare address in running text ends where ASCII does: GFM takes everything up to a space, and Chinese or Japanese has
 * none. What GFM swallowed is given back, with the addresses in it.
 */
export function splitBareLink(text: string): TextRun[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "all of ASCII"
  if (/^[\u0000-\u007f]*$/.test(text)) return [{ text, url: text }];
  const runs: TextRun[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(/[.,:;!?'")\]}*_]+$/, "");
    if (match.index > end) runs.push({ text: text.slice(end, match.index) });
    runs.push({ text: address, url: address });
    end = match.index + address.length;
  }
  if (end < text.length) runs.push({ text: text.slice(end) });
  return runs;
}
