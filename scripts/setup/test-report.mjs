/**
 * What the runners' machine-readable reports say. A runner that fails without a failed test (it crashed, a file could not be
 * loaded, no test was found) counts as one failure, so that nothing broken adds up to zero.
 */

import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @type {Counts} */
const none = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param {string} file
 * @returns {any} the report, whose shape is the runner's; undefined when it is not there or not whole
 */
function readReport(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * @param {Counts} counts
 * @param {number} exitCode
 * @returns {Counts}
 */
function withCrash(counts, exitCode) {
  const failedSilently = exitCode !== 0 && counts.failed === 0;
  return failedSilently ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {number} exitCode
 * @returns {Counts} a step that is one test in itself
 */
export function countStep(exitCode) {
  return exitCode === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 };
}

/**
 * @param {string} file vitest's JSON report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countVitest(file, exitCode) {
  const report = readReport(file);
  if (!report) return countStep(exitCode === 0 ? 1 : exitCode);
  /** @type {{ status: string, assertionResults: { status: string }[] }[]} */
  const files = report.testResults;
  const unloaded = files.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  ).length;
  return withCrash(
    {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    exitCode,
  );
}

/**
 * @param {string} file Playwright's JSON report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countPlaywright(file, exitCode) {
  const report = readReport(file);
  if (!report) return countStep(exitCode === 0 ? 1 : exitCode);
  const { expected, unexpected, flaky, skipped } = report.stats;
  return withCrash({ passed: expected + flaky, failed: unexpected, skipped }, exitCode);
}

/**
 * @param {Counts[]} parts
 * @returns {Counts}
 */
export function sum(parts) {
  return parts.reduce(
    (total, part) => ({
      passed: total.passed + part.passed,
      failed: total.failed + part.failed,
      skipped: total.skipped + part.skipped,
    }),
    none,
  );
}
