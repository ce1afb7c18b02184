import fc from "fast-check";
import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import { parseFencedCode } from "./fenced-code";

function whatItHolds(tree: Root | undefined) {
  return tree?.children.map((node) => {
    expect(node.type).toBe("code");
    if (node.type !== "code") return node;
    const { lang, meta, value } = node;
    return { lang, meta, value, from: node.position?.start.offset, to: node.position?.end.offset };
  });
}

describe("a piece that is one fenced code block", () => {
  const line = fc.constantFrom("", "x = 1", "  y", "``", "```", "````", "~~~", "    ```", "``` ");
  const piece = fc
    .record({
      opening: fc.constantFrom("```", "~~~", "````", "```js", "```c++ title=a", "```  ", "~~~ sh"),
      body: fc.array(line, { maxLength: 8 }),
      end: fc.constantFrom("", "\n", "\n```", "\n```\n", "\n````\n\n", "\n~~~  "),
    })
    .map(({ opening, body, end }) => `${opening}\n${body.join("\n")}${end}`);

  it("is read as the parser reads it, whenever it is read at all", () => {
    let read = 0;
    fc.assert(
      fc.property(piece, (source) => {
        const own = parseFencedCode(source);
        if (!own) return;
        read += 1;
        expect(whatItHolds(own)).toEqual(whatItHolds(fromMarkdown(source)));
      }),
      { numRuns: 2000 },
    );
    expect(read).toBeGreaterThan(500);
  });

  it.each([
    ["text before it", "a\n```\nx\n```"],
    ["text behind it", "```\nx\n```\nafter"],
    ["an info line that needs decoding", "```j&amp;s\nx\n```"],
    ["an unfinished info line", "```js"],
    ["an indented fence", "  ```\n  x\n  ```"],
  ])("is not what has %s", (_name, source) => {
    expect(parseFencedCode(source)).toBeUndefined();
  });
});
