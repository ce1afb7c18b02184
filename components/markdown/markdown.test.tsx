// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Markdown } from "./markdown";
import { WorkerInPage } from "./testing/worker-in-page";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, Worker: WorkerInPage });
// KaTeX refuses to say nothing about quirks mode, and this document has no doctype.
vi.hoisted(() => Object.defineProperty(document, "compatMode", { value: "CSS1Compat" }));

// Thousands of renderings: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 60_000 });

let host: HTMLElement;
let root: Root;

beforeEach(() => {
  host = document.body.appendChild(document.createElement("main"));
  root = createRoot(host);
});
afterEach(() => {
  act(() => root.unmount());
  host.remove();
});

async function show(text: string, streaming = false): Promise<HTMLElement> {
  await act(async () => root.render(<Markdown text={text} streaming={streaming} />));
  return host;
}

/** Every prefix in steps, then the whole text as finished. */
async function stream(text: string, step: number, look?: () => void): Promise<void> {
  for (let end = step; end < text.length; end += step) {
    await show(text.slice(0, end), true);
    look?.();
  }
  await show(text, true);
  look?.();
  await show(text, false);
}

/** What is there once formulas are set and code is coloured. */
async function settled(element: Element): Promise<string> {
  await act(() =>
    vi.waitFor(() => {
      const formulas = [...element.querySelectorAll(".md-math")];
      const blocks = [...element.querySelectorAll("figure pre code")];
      expect([formulas.length > 0, blocks.length > 0]).toEqual([true, true]);
      expect(formulas.filter((formula) => !formula.querySelector(".katex"))).toEqual([]);
      expect(blocks.filter((block) => !block.querySelector(".token-keyword"))).toEqual([]);
    }, 30_000),
  );
  return element.innerHTML;
}

async function whole(text: string): Promise<string> {
  const other = document.createElement("main");
  const otherRoot = createRoot(other);
  await act(async () => otherRoot.render(<Markdown text={text} />));
  const innerHTML = await settled(other);
  act(() => otherRoot.unmount());
  return innerHTML;
}

const DOCUMENT = `# Title

Some **bold**, *italic*, ~~gone~~ and \`code\` with [a link](https://example.com "T") and a note[^1].

1. one
   - deep

   more
2. two

- [x] done
- [ ] open

> quoted
> twice

| a | b |
|:--|--:|
| 1 | 2 |

\`\`\`js
const a = 1;

b();
\`\`\`

$$
x^2
$$

Line with $y$ and [ref]. ![pic](https://pics.example/p.png)

---

[ref]: https://example.org/ref
[^1]: The note.
`;

describe("what a message may bring into the page", () => {
  const HOSTILE = `Hi <img src=x onerror="window.__x=1"> <iframe srcdoc="<script>parent.__x=1</script>"></iframe> <svg onload="window.__x=1"><a xlink:href="javascript:window.__x=1"><text>t</text></a></svg> <form action="https://evil.example"><button>Go</button></form>

<details open ontoggle="window.__x=1">

<base href="https://evil.example/">

<script>window.__x=1</script>

a<br>b`;

  it("shows raw HTML as text", async () => {
    await stream(HOSTILE, 5);
    const forbidden = "img, iframe, svg, form, button, base, script, object, details, meta, link";
    expect(host.querySelectorAll(forbidden)).toHaveLength(0);
    for (const element of host.querySelectorAll("*")) {
      for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^on|^srcdoc$/);
    }
    expect(host.textContent).toContain('<img src=x onerror="window.__x=1">');
    expect(host.textContent).toContain("<script>window.__x=1</script>");
    expect(host.querySelectorAll("br")).toHaveLength(1);
    expect("__x" in window).toBe(false);
  });

  it("makes links of http, https and mailto only, and none that can reach this page", async () => {
    await show(`[a](javascript:window.__x=1) [b](JaVaScRiPt&colon;window.__x=1) [c](data:text/html,x) [d](vbscript:x)
[f](//evil.example) [g](https://ok.example "t\\" onmouseover=\\"window.__x=1") <javascript:window.__x=1> [i](mailto:a@example.com) [j](/settings)

[h]: javascript:window.__x=1
[h]`);
    const links = [...host.querySelectorAll("a")];
    expect(links.map((link) => link.getAttribute("href"))).toEqual([
      "https://ok.example/",
      "mailto:a@example.com",
    ]);
    for (const link of links) {
      expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
      expect(link.getAttribute("target")).toBe("_blank");
      expect(link.hasAttribute("onmouseover")).toBe(false);
    }
  });

  it("ends a bare address where Chinese text begins", async () => {
    await show("请看https://example.com/a，然后继续。参见（https://example.org/b）。");
    expect([...host.querySelectorAll("a")].map((link) => link.href)).toEqual([
      "https://example.com/a",
      "https://example.org/b",
    ]);
    expect(host.textContent).toBe(
      "请看https://example.com/a，然后继续。参见（https://example.org/b）。",
    );
  });

  it("loads no image from elsewhere before it is asked to", async () => {
    await show("![a cat](https://pics.example/cat.png?d=secret)");
    expect(host.querySelector("img")).toBeNull();
    const button = host.querySelector("button");
    expect(button?.textContent).toContain("Show image from pics.example");
    await act(async () => button?.click());
    expect(host.querySelector("img")?.getAttribute("src")).toBe(
      "/api/images?url=https%3A%2F%2Fpics.example%2Fcat.png%3Fd%3Dsecret",
    );
    expect(host.querySelector("img")?.getAttribute("referrerpolicy")).toBe("no-referrer");
  });

  it.each([
    ["nested quotes", `${">".repeat(5000)} deep`],
    [
      "nested list levels",
      Array.from({ length: 1200 }, (_, i) => `${" ".repeat(i * 2)}- x`).join("\n"),
    ],
    ["nested asterisks", `${"*".repeat(20_000)}a`],
    ["nested brackets", `${"[".repeat(20_000)}a`],
    ["markers on one line", `${"- ".repeat(3000)}a`],
    ["emphasis in one endless paragraph", "word *x* `y` ".repeat(6000).trim()],
  ])("shows thousands of %s as plain text", async (_name, text) => {
    await show(`${text}\n\nafter **all**`);
    expect(host.querySelector(".md-plain")?.textContent?.trim()).toBe(text);
    expect(host.querySelector("strong")?.textContent).toBe("all");
  });
});

describe("a streamed message", () => {
  it.each([1, 3, 17])("ends as if it had come whole, in steps of %i", async (step) => {
    await stream(DOCUMENT, step);
    expect(await settled(host)).toBe(await whole(DOCUMENT));
  });

  it("renders each kind of block", async () => {
    await show(DOCUMENT);
    expect(host.querySelector("h2")?.textContent).toBe("Title");
    expect(host.querySelector("ol ul li")?.textContent).toBe("deep");
    expect(host.querySelectorAll("input[type=checkbox]:disabled")).toHaveLength(2);
    expect(host.querySelector("td[data-align=right]")?.textContent).toBe("2");
    expect(host.querySelector("pre code")?.textContent).toBe("const a = 1;\n\nb();");
    expect(host.querySelector('a[href="https://example.org/ref"]')?.textContent).toBe("ref");
    expect(host.querySelector("aside")?.textContent).toBe("1The note.");
  });

  it("does not touch what is finished", async () => {
    const first = "A paragraph with **bold** text.\n\n```js\nconst a = 1;\n```\n\n";
    await show(`${first}then`, true);
    const kept = [...host.querySelectorAll(".md > *")].slice(0, 2);
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    for (const node of kept) {
      observer.observe(node, { subtree: true, childList: true, characterData: true });
    }
    for (let frame = 1; frame <= 200; frame += 1) {
      await show(`${first}then${" word".repeat(frame)}`, true);
    }
    await show(`${first}then${" word".repeat(200)}`, false);
    changes.push(...observer.takeRecords());
    observer.disconnect();
    expect([...host.querySelectorAll(".md > *")].slice(0, 2)).toEqual(kept);
    expect(kept.every((node) => host.contains(node))).toBe(true);
    // The colours of finished code may come late; nothing else may change.
    expect(changes.filter((change) => !kept[1]?.contains(change.target))).toEqual([]);
  });

  it("shows no stray backtick, one language and one code block at every prefix", async () => {
    const blocks = new Set<Element>();
    const labels = new Set<string>();
    await stream("Here is code:\n\n```swift\nlet x = 1\nprint(x)\n```\n\nDone.", 1, () => {
      expect(host.textContent).not.toContain("`");
      for (const figure of host.querySelectorAll("figure")) blocks.add(figure);
      for (const label of host.querySelectorAll("figcaption > span")) {
        labels.add(label.textContent ?? "");
      }
    });
    expect(blocks.size).toBe(1);
    expect([...labels]).toEqual(["Swift"]);
  });

  it("shows no half-written mark of emphasis, list, heading or table", async () => {
    const text =
      "Some **bold** and *it* words\n\n- item\n\n## Head\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    await stream(text, 1, () => {
      expect(host.textContent).not.toMatch(/[*#|]|^-|\n-/);
    });
  });

  it("shows prices as prices", async () => {
    await show("It costs $5 or $10, and $x^2$ is a formula.");
    expect(host.textContent).toContain("It costs $5 or $10, and ");
    expect(host.querySelectorAll(".md-math")).toHaveLength(1);
  });
});

describe("what a person can take along", () => {
  const written: string[] = [];
  beforeEach(() => {
    written.length = 0;
    vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => {
      written.push(text);
    });
  });
  afterEach(() => vi.restoreAllMocks());

  async function press(label: string): Promise<void> {
    const button = host.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`);
    await act(async () => button?.click());
  }

  it("is the code as it was written", async () => {
    await show("```py\nprint(1)\n\n\tx\n```");
    await press("Copy code");
    expect(written).toEqual(["print(1)\n\n\tx\n"]);
  });

  it("is the code as a file with its language's ending", async () => {
    const saved: { name: string; blob: Blob }[] = [];
    let blob = new Blob();
    vi.spyOn(URL, "createObjectURL").mockImplementation((content) => {
      blob = content as Blob;
      return "blob:code";
    });
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push({ name: this.download, blob });
    });
    await show("```python\nprint(1)\n```");
    await press("Download code");
    expect(saved.map(({ name }) => name)).toEqual(["code.py"]);
    expect(await saved[0]?.blob.text()).toBe("print(1)\n");
  });

  it("is a table as CSV that no spreadsheet runs", async () => {
    await show(
      '| a | b, "c" |\n|---|---|\n| **1** | =HYPERLINK("x") |\n| -5 | -cmd |\n| x<br>y | `k` [l](https://e.example) |',
    );
    await press("Copy as CSV");
    expect(written).toEqual([
      'a,"b, ""c"""\r\n1,"\'=HYPERLINK(""x"")"\r\n-5,\'-cmd\r\n"x\ny",k l\r\n',
    ]);
  });

  it("wraps long lines of code when asked to", async () => {
    await show("```\nx\n```");
    expect(host.querySelector("figure")?.hasAttribute("data-wrapped")).toBe(false);
    await press("Wrap lines");
    expect(host.querySelector("figure")?.hasAttribute("data-wrapped")).toBe(true);
    expect(host.querySelector('[aria-label="Wrap lines"]')?.getAttribute("aria-pressed")).toBe(
      "true",
    );
  });
});

describe("directions", () => {
  it("lets each block find its own, and keeps code left to right", async () => {
    await show(
      "مرحبا (test).\n\n- عنصر\n- two\n\n```js\nconst x = 1;\n```\n\nשלום https://example.com/a",
    );
    const dirs = [...host.querySelectorAll(".md > p, .md > ul")].map((block) =>
      block.getAttribute("dir"),
    );
    expect(dirs).toEqual(["auto", "auto", "auto"]);
    expect(host.querySelector("pre")?.getAttribute("dir")).toBe("ltr");
  });
});
