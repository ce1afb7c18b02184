/**
 * A few thousand nested quotes, list levels or asterisks make a markdown parser slow or overflow its stack, and the message
 * is stored: it would break its conversation at every load. Such a piece is shown as plain text instead.
 */
const QUOTES = /(?:>[ \t]?){40,}/;
const LIST_LEVELS = /^(?: {60,}|\t{15,})[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]/m;
const MARKS = /[*_~[\]!]{300,}|(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){40,}/;

export function isTooDeep(source: string): boolean {
  return QUOTES.test(source) || LIST_LEVELS.test(source) || MARKS.test(source);
}
