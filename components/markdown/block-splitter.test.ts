import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockList } from "./block-list";
import { splitBlocks } from "./block-splitter";

function pieces(source: string): string[] {
  const { closed, tailStart } = splitBlocks(source);
  return [...closed, source.slice(tailStart)].map((piece) => piece.trim());
}

describe("splitting markdown into pieces", () => {
  it("cuts at blank lines between paragraphs, headings and tables", () => {
    expect(pieces("# One\n\ntwo\nstill two\n\n| a |\n| - |\n\nend")).toEqual([
      "# One",
      "two\nstill two",
      "| a |\n| - |",
      "end",
    ]);
  });

  it.each([
    ["a fence", "```js\na\n\nb\n```"],
    ["a longer fence that holds a shorter one", "````md\n```\n\nx\n\n```\n````"],
    ["a formula", "$$\na\n\nb\n$$"],
    ["a loose list", "- a\n\n- b\n\n  more of b"],
    ["a numbered list with a paragraph inside", "1. a\n\n   more\n\n2. b"],
    ["a fence in a list item", "- a\n\n  ```\n  x\n\n  y\n  ```"],
    ["indented code with a gap", "    a\n\n    b"],
    ["a comment", "<!-- a\n\nb -->"],
    ["a footnote of two paragraphs", "[^1]: one\n\n    two"],
  ])("keeps %s whole", (_name, source) => {
    expect(pieces(`${source}\n\nafter`)).toEqual([source.trim(), "after"]);
  });

  it("waits while a line may still continue the list above it", () => {
    expect(pieces("- a\n\n1")).toEqual(["- a\n\n1"]);
    expect(pieces("- a\n\n1.")).toEqual(["- a\n\n1."]);
    expect(pieces("- a\n\n1. b")).toEqual(["- a\n\n1. b"]);
    expect(pieces("- a\n\n1 apple")).toEqual(["- a", "1 apple"]);
  });

  it("leaves a fence in a list item when the list ends without closing it", () => {
    expect(pieces("- a\n  ```\n  x\n\nafter\n\nend")).toEqual(["- a\n  ```\n  x\n\nafter", "end"]);
  });

  it("cuts a long list between two outermost items, and nowhere else", () => {
    const item = (mark: string, index: number) => `${mark} item ${index}\n  - deeper\n\n  more\n`;
    const bullets = Array.from({ length: 300 }, (_, index) => item("-", index)).join("");
    const cut = pieces(bullets);
    expect(cut.length).toBeGreaterThan(2);
    for (const piece of cut) {
      expect(piece).toMatch(/^- item \d+\n/);
      expect(piece.length).toBeLessThan(3100);
    }
    const numbered = Array.from({ length: 600 }, (_, index) => `${index + 1}. item\n`).join("");
    expect(pieces(`Intro:\n${numbered}`)[1]).toMatch(/^\d{3}\. item\n/);
  });

  it.each([
    ["numbers that stand still", "1. item\n".repeat(900)],
    [
      "numbers in a paragraph",
      `text\n${Array.from({ length: 900 }, (_, i) => `${i + 2}. x`).join("\n")}`,
    ],
    ["a fence in an item", `- a\n  \`\`\`\n${"  - x\n".repeat(900)}  \`\`\``],
    ["a list in a quote", "> - item\n".repeat(900)],
  ])("does not cut a long piece of %s", (_name, source) => {
    expect(pieces(source)).toEqual([source.trim()]);
  });

  const line = fc.constantFrom(
    "",
    "text",
    "- a",
    "* b",
    "1. c",
    "12",
    "2. d",
    `- ${"long ".repeat(300)}`,
    `3. ${"long ".repeat(300)}`,
    "  deeper",
    "    code",
    "```",
    "```js",
    "~~~~",
    "$$",
    "> q",
    "| a | b |",
    "|---|---|",
    "<!-- x",
    "-->",
    "<pre>",
    "</pre>",
    "[^1]: note",
    "# h",
  );
  const document = fc.array(line, { maxLength: 24 }).map((lines) => lines.join("\n"));

  it("never loses a character, and never takes back a piece when text is added", () => {
    fc.assert(
      fc.property(document, fc.nat(), (source, cut) => {
        const whole = splitBlocks(source);
        expect(whole.closed.join("") + source.slice(whole.tailStart)).toBe(source);
        const prefix = splitBlocks(source.slice(0, cut % (source.length + 1)));
        expect(whole.closed.slice(0, prefix.closed.length)).toEqual(prefix.closed);
      }),
    );
  });

  it("gives the same pieces in steps as at once", () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 7 }), (source, step) => {
        const list = new BlockList();
        for (let end = 0; end < source.length; end += step) list.update(source.slice(0, end));
        const stepped = list.update(source);
        const whole = splitBlocks(source);
        expect(stepped.closed).toEqual(whole.closed);
        expect(stepped.tail).toBe(source.slice(whole.tailStart));
      }),
    );
  });

  it("starts again when the text is another one", () => {
    const list = new BlockList();
    list.update("one\n\ntwo");
    expect(list.update("other\n\ntext")).toEqual({ closed: ["other\n\n"], tail: "text" });
  });
});
