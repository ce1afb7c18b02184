/**
 * What a page says, without what stands around it. One pass over the markup without a tree: whatever a page is made of, its
 * reading takes time in proportion to its length.
 */

import { Parser } from "htmlparser2";
import { after, before } from "./block-marks";

export interface PageText {
  title?: string;
  text: string;
}

/** Pages with more markup than this are read up to here, in characters. */
const longestPage = 2_000_000;
/** No page that a person reads is nested deeper. */
const deepest = 1000;
/** A part marked as the page's own matter that is shorter is likely not it, in characters. */
const shortArticle = 200;

const neverRead = new Set([
  ...["script", "style", "noscript", "template", "svg", "math", "iframe", "object", "canvas"],
  ...["audio", "video", "button", "select", "textarea", "dialog", "head"],
]);
/** Left out unless the page has nothing else. */
const aroundTheText = new Set(["nav", "aside", "footer"]);
const aroundByRole = new Set(["navigation", "banner", "contentinfo", "complementary", "search"]);
const ownMatter = new Set(["article", "main"]);

/** The readable text of HTML: of its article or main part when it has one, else of its body. */
export function pageText(html: string): PageText {
  const reader = new PageReader();
  const parser = new Parser(reader, { decodeEntities: true });
  try {
    parser.end(html.slice(0, longestPage));
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
  }
  const title = reader.title.replace(/\s+/g, " ").trim();
  const texts = [reader.matter, reader.body, reader.all].map((pieces) => tidy(pieces.join("")));
  const text = texts.find((one) => one.length >= shortArticle) ?? texts[1] ?? "";
  return { ...(title && { title }), text: text || (texts[2] ?? "") };
}

class TooDeepError extends Error {}

class PageReader {
  title = "";
  /** Pieces of text inside of the page's own matter, of all but what stands around it, and of everything. */
  readonly matter: string[] = [];
  readonly body: string[] = [];
  readonly all: string[] = [];
  private readonly open: { hidden: boolean; around: boolean; own: boolean; pre: boolean }[] = [];
  private inTitle = false;

  onopentag(name: string, attributes: Record<string, string>): void {
    const parent = this.open.at(-1);
    if (this.open.length >= deepest) throw new TooDeepError();
    if (name === "title" && !parent?.own) this.inTitle = this.title === "";
    const role = attributes.role ?? "";
    this.open.push({
      hidden: parent?.hidden || neverRead.has(name) || isHidden(attributes),
      around: parent?.around || aroundTheText.has(name) || aroundByRole.has(role),
      own: parent?.own || ownMatter.has(name) || role === "main",
      pre: parent?.pre || name === "pre",
    });
    this.write(before(name));
  }

  ontext(text: string): void {
    if (this.inTitle) this.title += text;
    else this.write(this.open.at(-1)?.pre ? text : text.replace(/\s+/g, " "));
  }

  onclosetag(name: string): void {
    if (name === "title") this.inTitle = false;
    this.write(after(name));
    this.open.pop();
  }

  private write(text: string): void {
    const place = this.open.at(-1);
    if (!text || place?.hidden) return;
    this.all.push(text);
    if (place?.around) return;
    this.body.push(text);
    if (place?.own) this.matter.push(text);
  }
}

const isHidden = (attributes: Record<string, string>): boolean =>
  "hidden" in attributes ||
  attributes["aria-hidden"] === "true" ||
  /display\s*:\s*none/i.test(attributes.style ?? "");

function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .trimEnd()
        .replace(/ ?\|$/, "")
        .replace(/^ (?=\S)/, ""),
    )
    .join("\n")
    .replace(/\n- \s+/g, "\n- ")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
