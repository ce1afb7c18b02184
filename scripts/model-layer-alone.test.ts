import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder: string;

/** A folder that holds the model layer and the packages, and nothing else of the project. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rill-model-layer-"));
  cpSync("lib/ai", join(folder, "lib/ai"), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const compilerOptions = {
    target: "ES2023",
    lib: ["dom", "dom.iterable", "esnext"],
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  };
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["lib/ai"] }),
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("the model layer by itself", () => {
  it("passes the type check, its tests too", { timeout: 120_000 }, () => {
    const compiler = resolve("node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", "."], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });
});
