import { createCssVariablesTheme, createHighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { languageLoader } from "./languages";

/** A stretch of code of one colour; `kind` names the colour, undefined is the text's own. */
export interface CodeToken {
  text: string;
  kind?: string;
}

const theme = createCssVariablesTheme({ name: "rill", variablePrefix: "--", fontStyle: false });
const highlighter = createHighlighterCore({
  themes: [theme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});
/**
 * Ms for one line. The library's own limit of half a second leaves the first line plain for good on a slow machine, where
 * the grammar is being compiled; none at all would let a hostile line hold the page.
 */
const LINE_TIME_LIMIT = 4000;
const VARIABLE = /^var\(--token-([a-z-]+)\)$/;

/** Lines of coloured tokens; undefined when the language is not known. The text of all tokens is exactly the code. */
export async function highlight(
  code: string,
  language: string | undefined,
): Promise<CodeToken[][] | undefined> {
  const load = languageLoader(language);
  if (!load) return undefined;
  const [shiki, grammar] = await Promise.all([highlighter, load()]);
  await shiki.loadLanguage(grammar.default);
  const registrations = await (typeof grammar.default === "function"
    ? grammar.default()
    : grammar.default);
  const list = Array.isArray(registrations) ? registrations : [registrations];
  const lang = list.at(-1);
  if (!lang || !("name" in lang)) return undefined;
  const lines = shiki.codeToTokensBase(code, {
    lang: lang.name,
    theme: "rill",
    tokenizeTimeLimit: LINE_TIME_LIMIT,
  });
  return lines.map((line) =>
    line.map((token) => {
      const kind = token.color ? VARIABLE.exec(token.color)?.[1] : undefined;
      return kind ? { text: token.content, kind } : { text: token.content };
    }),
  );
}
