import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findChromium } from "./chromium.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rill-chromium-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A browser that answers when asked for its version, or a stub that only tells what to install. */
function browser(exitCode: number): string {
  const path = join(folder, "chromium");
  writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.skipIf(process.platform === "win32")("CHROMIUM_PATH", () => {
  it("goes before every other browser", () => {
    const path = browser(0);
    vi.stubEnv("CHROMIUM_PATH", path);
    expect(findChromium()).toBe(path);
  });

  it("that cannot be started is told, and no other is taken instead", () => {
    for (const path of [browser(1), join(folder, "not-there")]) {
      vi.stubEnv("CHROMIUM_PATH", path);
      expect(() => findChromium()).toThrow(`CHROMIUM_PATH is "${path}", which cannot be started.`);
    }
  });
});
