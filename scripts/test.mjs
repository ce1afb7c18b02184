/**
 * `npm test`: installs what is needed, a browser too, and runs lint, types, unit tests, the build and the tests in the
 * browser. Every step runs, whatever the ones before it gave. The last line is `N passed, N failed`; what was skipped stands
 * on the line before. Lint, types and build count as one test each.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./setup/build.mjs";
import { ensureChromium } from "./setup/chromium.mjs";
import { Explained, runMain } from "./setup/explain.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { requireNode } from "./setup/node-version.mjs";
import { runNpm } from "./setup/run-command.mjs";
import { countPlaywright, countStep, countVitest, sum } from "./setup/test-report.mjs";

const stepTimeoutMs = 15 * 60_000;
const reports = mkdtempSync(join(tmpdir(), "rill-test-"));

/** The tools choose their own mode, and nobody is told of a test run. */
function testEnv() {
  const { NODE_ENV: _, ...env } = process.env;
  return { ...env, NEXT_TELEMETRY_DISABLED: "1" };
}

/**
 * @param {string[]} command a script of package.json and its arguments
 * @param {Record<string, string>} [extraEnv]
 */
function npmRun([script = "", ...args], extraEnv = {}) {
  const separator = args.length > 0 ? ["--"] : [];
  return runNpm(["run", "--silent", script, ...separator, ...args], {
    env: { ...testEnv(), ...extraEnv },
    timeoutMs: stepTimeoutMs,
  });
}

/**
 * @param {() => Promise<unknown>} work
 * @returns {Promise<number>} 1 when it threw, with the reason printed
 */
async function attempt(work) {
  try {
    await work();
    return 0;
  } catch (error) {
    console.error(error instanceof Explained ? error.message : error);
    return 1;
  }
}

/** @type {Record<string, () => Promise<import("./setup/test-report.mjs").Counts>>} */
const steps = {
  lint: async () => countStep(await npmRun(["lint"])),
  types: async () => countStep(await npmRun(["typecheck"])),
  unit: async () => {
    const file = join(reports, "unit.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    return countVitest(file, await npmRun(["test:unit", ...reporters]));
  },
  build: async () => countStep(await attempt(ensureBuilt)),
  browser: async () => {
    const file = join(reports, "browser.json");
    let chromium = "";
    const failed = await attempt(async () => {
      chromium = await ensureChromium();
    });
    if (failed) return countStep(failed);
    const code = await npmRun(["test:e2e", "--reporter=list,json"], {
      RILL_CHROMIUM: chromium,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    });
    return countPlaywright(file, code);
  },
};

await runMain(async () => {
  requireNode();
  await ensureInstalled();
  const results = [];
  let interrupted = false;
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (interrupted = true));
  for (const [name, step] of Object.entries(steps)) {
    console.log(`\n── ${name}`);
    const counts = await step();
    console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed`);
    results.push(counts);
    if (interrupted) throw new Explained("Interrupted.");
  }
  rmSync(reports, { recursive: true });
  const { passed, failed, skipped } = sum(results);
  console.log(skipped > 0 ? `\n${skipped} skipped` : "");
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
});
