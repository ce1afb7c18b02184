import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { installIsCurrent, isInstalled, writeInstallStamp } from "./install.mjs";

const lockfile = {
  packages: {
    "": {},
    "node_modules/a": { version: "1.0.0" },
    "node_modules/only-on-windows": { version: "2.0.0", optional: true },
  },
};

describe("isInstalled", () => {
  const installed = (version?: string): { packages: Record<string, { version: string }> } => ({
    packages: version ? { "node_modules/a": { version } } : {},
  });

  it("asks for every package in its version, but for optional ones that are absent", () => {
    expect(isInstalled(lockfile, installed("1.0.0"))).toBe(true);
    expect(isInstalled(lockfile, installed("1.0.1"))).toBe(false);
    expect(isInstalled(lockfile, installed())).toBe(false);
  });
});

describe("installIsCurrent", () => {
  let folder: string;
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rill-install-"));
    write("package-lock.json", lockfile);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("is false on a fresh clone", () => {
    expect(installIsCurrent(folder)).toBe(false);
  });

  it("is true after an installation by hand that npm finished", () => {
    mkdirSync(join(folder, "node_modules"));
    expect(installIsCurrent(folder)).toBe(false);
    write("node_modules/.package-lock.json", lockfile);
    expect(installIsCurrent(folder)).toBe(true);
  });

  it("is true while the lockfile is the one that was installed", () => {
    mkdirSync(join(folder, "node_modules"));
    writeInstallStamp(folder);
    expect(installIsCurrent(folder)).toBe(true);
    write("package-lock.json", { packages: { "node_modules/a": { version: "1.1.0" } } });
    expect(installIsCurrent(folder)).toBe(false);
  });

  it("is false in a folder that was installed on another system", () => {
    mkdirSync(join(folder, "node_modules"));
    write("node_modules/.package-lock.json", lockfile);
    writeFileSync(join(folder, "node_modules/.rill-install"), "0 plan9 mips");
    expect(installIsCurrent(folder)).toBe(false);
  });
});
