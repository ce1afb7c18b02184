import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprint } from "./fingerprint.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rill-fingerprint-"));
  mkdirSync(join(folder, "lib/deep"), { recursive: true });
  writeFileSync(join(folder, "lib/deep/a.ts"), "1");
  writeFileSync(join(folder, "config.mjs"), "2");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const current = (): string => fingerprint(folder, ["lib", "config.mjs", "not-there.json"]);

describe("fingerprint", () => {
  it("stays while names and contents stay, whatever the times", () => {
    const before = current();
    utimesSync(join(folder, "lib/deep/a.ts"), 1, 1);
    expect(current()).toBe(before);
  });

  it("does not care for tests, nor for what was not asked about", () => {
    const before = current();
    writeFileSync(join(folder, "lib/deep/a.test.ts"), "3");
    writeFileSync(join(folder, "README.md"), "4");
    expect(current()).toBe(before);
  });

  it.each<[string, () => void]>([
    ["a changed file", () => writeFileSync(join(folder, "lib/deep/a.ts"), "3")],
    ["a new file", () => writeFileSync(join(folder, "lib/b.ts"), "")],
    ["a file that appears by its name", () => writeFileSync(join(folder, "not-there.json"), "")],
    ["a removed file", () => rmSync(join(folder, "config.mjs"))],
  ])("changes with %s", (_name, change) => {
    const before = current();
    change();
    expect(current()).not.toBe(before);
  });
});
