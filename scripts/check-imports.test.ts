import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findViolations } from "./imports/find-violations.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rill-imports-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** The complaints about a project that holds this file alone. */
function violations(path: string, source: string): string[] {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, source);
  return findViolations(folder);
}

describe("the direction rule", () => {
  it.each([
    ["lib/ai/lazy.ts", 'import { loop } from "../agent/loop.ts";', "lib/agent/loop.ts"],
    ["lib/ai/apis/x/stream.ts", 'import { loop } from "@/lib/agent/loop";', "lib/agent/loop"],
    ["lib/ai/lazy.ts", 'import type { Run } from "../run/events";', "lib/run/events"],
    ["lib/agent/loop.ts", 'export * from "../run/events";', "lib/run/events"],
    ["lib/run/fold.ts", 'const load = () => import("../browser/db");', "lib/browser/db"],
    ["lib/run/fold.ts", 'export type Db = import("@/lib/browser/db").Db;', "lib/browser/db"],
    ["lib/server/runs.ts", 'import { db } from "../browser/db";', "lib/browser/db"],
    ["lib/server/runs.ts", 'import { Page } from "@/app/page";', "app/page"],
    ["lib/browser/client.ts", 'import { runs } from "@/lib/server/runs";', "lib/server/runs"],
    ["lib/browser/client.ts", 'import { Button } from "../../components/ui/button";', "components"],
    ["lib/share/redact.ts", 'import { db } from "../browser/db";', "lib/browser/db"],
    ["lib/inspect/metrics.ts", 'import { runs } from "../server/runs";', "lib/server/runs"],
    ["components/chat.tsx", 'import { runs } from "@/lib/server/runs";', "lib/server/runs"],
    ["components/chat.tsx", 'const view = <b />;\nexport { Page } from "../app/page";', "app/page"],
    ["app/page.tsx", 'import { ReplayServer } from "../scripts/replay-server";', "scripts"],
    ["lib/run/run.test.ts", 'import { runs } from "@/lib/server/runs";', "lib/server/runs"],
  ])("refuses in %s: %s", (path, source, target) => {
    expect(violations(path, source)).toEqual([expect.stringContaining(`may not import ${target}`)]);
  });

  it.each([
    ["lib/ai/lazy.ts", 'import type { Model } from "./types.ts";'],
    ["lib/agent/loop.ts", 'import type { Model } from "../ai/types.ts";'],
    ["lib/run/fold.ts", 'import type { AgentEvent } from "@/lib/agent/types";'],
    ["lib/server/runs.ts", 'import { fold } from "@/lib/run/fold";\nimport "node:crypto";'],
    ["lib/browser/client.ts", 'import { useState } from "react";'],
    ["components/chat.tsx", 'import { send } from "@/lib/browser/run-client";'],
    ["app/api/runs/route.ts", 'import { runs } from "@/lib/server/runs";'],
    ["lib/ai/apis/x/stream.test.ts", 'import { ReplayServer } from "@/scripts/replay-server";'],
    ["lib/ai/apis/openai-responses/stream.ts", 'import OpenAI from "openai";'],
    ["lib/ai/testing/vendor.ts", 'import "node:http";\nimport "@/scripts/replay-server";'],
    ["lib/ai/apis/x/stream.test.ts", 'import { vendor } from "../../testing/vendor.ts";'],
    ["app/api/health/route.ts", 'import { version } from "@/package.json";'],
    ["e2e/chat.spec.ts", 'import { openDatabase } from "@/lib/browser/db";'],
  ])("accepts in %s: %s", (path, source) => {
    expect(violations(path, source)).toEqual([]);
  });

  it("names the line, and is not misled by comments and strings", () => {
    const source = [
      '// import { loop } from "../agent/loop.ts";',
      "const text = 'import \"../agent/loop.ts\"';",
      'import { loop } from "../agent/loop.ts";',
    ].join("\n");
    expect(violations("lib/ai/lazy.ts", source)).toEqual([
      'lib/ai/lazy.ts:3: lib/ai may not import lib/agent/loop.ts ("../agent/loop.ts"). It may import: lib/ai.',
    ]);
  });
});

describe("packages", () => {
  it.each([
    ["lib/server/runs.ts", "openai"],
    ["lib/ai/provider.ts", "openai/streaming"],
    ["lib/ai/provider.ts", "@anthropic-ai/sdk"],
    ["components/chat.tsx", "@google/genai"],
    ["scripts/replay.ts", "openai"],
  ])("keeps the vendor SDK out of %s: %s", (path, name) => {
    expect(violations(path, `import sdk from "${name}";`)).toEqual([
      `${path}:1: only lib/ai/apis may load the vendor SDK "${name}".`,
    ]);
  });

  it.each(["node:fs", "fs/promises"])("keeps %s out of what runs in a browser", (name) => {
    expect(violations("lib/ai/errors.ts", `import * as module from "${name}";`)).toEqual([
      `lib/ai/errors.ts:1: lib/ai runs in a browser too, so it may not import "${name}".`,
    ]);
  });

  it("keeps React out of the loop", () => {
    expect(violations("lib/agent/loop.ts", 'import { useState } from "react";')).toEqual([
      'lib/agent/loop.ts:1: lib/agent knows nothing of "react".',
    ]);
  });

  it("keeps what serves tests out of what ships", () => {
    expect(violations("lib/ai/errors.ts", 'import { vendor } from "./testing/vendor.ts";')).toEqual(
      ['lib/ai/errors.ts:1: "./testing/vendor.ts" is for tests only.'],
    );
  });

  it("refuses an alias in the folders that can be published", () => {
    expect(violations("lib/ai/lazy.ts", 'import "@/lib/ai/types";')).toEqual([
      'lib/ai/lazy.ts:1: lib/ai imports by relative path only, and this is "@/lib/ai/types".',
    ]);
  });
});

describe("the command", () => {
  it("ends with 1 and names the import, or with 0 and says nothing", () => {
    violations("lib/ai/lazy.ts", 'import { loop } from "../agent/loop.ts";');
    const run = (): { status: number | null; stderr: string } =>
      spawnSync(process.execPath, ["scripts/check-imports.mjs", folder], { encoding: "utf8" });
    const refused = run();
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("lib/ai/lazy.ts:1: lib/ai may not import lib/agent/loop.ts");
    writeFileSync(join(folder, "lib/ai/lazy.ts"), "export {};");
    expect(run()).toMatchObject({ status: 0, stderr: "" });
  });

  it("asks for a rule when a folder has none", () => {
    expect(violations("lib/helpers/strings.ts", "export {};")).toEqual([
      "lib/helpers/strings.ts:1: this folder has no rule: give it one in scripts/imports/rules.mjs.",
    ]);
  });
});
