import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findGaps } from "./protocol/find-gaps.mjs";
import { protocolNumbers } from "./protocol/numbers.mjs";
import { readTestNames } from "./protocol/read-tests.mjs";

describe("docs/protocol.md", () => {
  it("has every number, and every test that it names is there", () => {
    expect(findGaps(readFileSync("docs/protocol.md", "utf8"), protocolNumbers, ".")).toEqual([]);
  });

  it("answers for 450 numbers, each once", () => {
    expect(new Set(protocolNumbers).size).toBe(450);
    expect(protocolNumbers).toHaveLength(450);
  });
});

describe("the check", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rill-protocol-"));
    writeFileSync(join(folder, "a.test.ts"), 'it("P-001: one", () => {});\nit.skip("two", f);\n');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const gaps = (...rows: string[]): string[] =>
    findGaps(
      ["| # | What | Proof |", "| --- | --- | --- |", ...rows].join("\n"),
      ["P-001"],
      folder,
    );

  it("is content with a test that is there, or a reason", () => {
    expect(gaps("| P-001 | One. | `a.test.ts › P-001: one` |")).toEqual([]);
    expect(gaps("| P-001 | One. | Does not apply: there is none. |")).toEqual([]);
  });

  it.each([
    ["| other | One. | `a.test.ts › P-001: one` |", "P-001 is missing"],
    ["| P-001 | One. | `a.test.ts › P-001: two` |", 'a.test.ts has no test "P-001: two"'],
    ["| P-001 | One. | `a.test.ts › two` |", 'a.test.ts has no test "two"'],
    ["| P-001 | One. | `b.test.ts › P-001: one` |", "there is no file b.test.ts"],
    ["| P-001 | One. | it is so |", "no test, and no reason why not"],
    ["| P-001 |  | `a.test.ts › P-001: one` |", "an empty cell"],
    ["| P-999 | One. | `a.test.ts › P-001: one` |", "is no number of the protocol"],
    ["| row | One. |  |", "no test, and no reason why not"],
  ])("complains about %s", (row, complaint) => {
    expect(gaps(row).join("\n")).toContain(complaint);
  });

  it("complains about a number that is there twice", () => {
    const row = "| P-001 | One. | `a.test.ts › P-001: one` |";
    expect(gaps(row, row)).toEqual(["line 4, P-001: is there twice"]);
  });

  it("reads the names of tests in every form", () => {
    const source = `
      describe("group", () => {
        it("plain", () => {});
        test(\`with \${part}\`, async () => {});
        it.each([["it('inner')"]])("each %s", () => {});
        it.each<[string]>(rows)(
          "typed %s",
          async () => {},
        );
        test.describe("no test", () => {});
        it.skip("skipped", () => {});
        it.todo("later");
        test.describe("no test", () => {});
        // it("a comment", () => {});
      });
    `;
    expect([...readTestNames("a.test.ts", source)]).toEqual([
      "plain",
      "with …",
      "each %s",
      "typed %s",
    ]);
  });
});
