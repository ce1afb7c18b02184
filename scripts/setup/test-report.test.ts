import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countPlaywright, countStep, countVitest, sum } from "./test-report.mjs";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rill-report-"));
  file = join(folder, "report.json");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (report: unknown): void => writeFileSync(file, JSON.stringify(report));
const vitestReport = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [
    { status: "passed", assertionResults: [{ status: "passed" }] },
    { status: "failed", assertionResults: [{ status: "failed" }] },
  ],
};

describe("vitest", () => {
  it("is counted by its report", () => {
    write(vitestReport);
    expect(countVitest(file, 1)).toEqual({ passed: 3, failed: 1, skipped: 3 });
  });

  it("adds a failure for a file that could not be loaded", () => {
    write({
      ...vitestReport,
      testResults: [...vitestReport.testResults, { status: "failed", assertionResults: [] }],
    });
    expect(countVitest(file, 1)).toEqual({ passed: 3, failed: 2, skipped: 3 });
  });

  it("fails when it ends badly though every test passed", () => {
    write({ ...vitestReport, numFailedTests: 0, testResults: [] });
    expect(countVitest(file, 1)).toEqual({ passed: 3, failed: 1, skipped: 3 });
    expect(countVitest(file, 0)).toEqual({ passed: 3, failed: 0, skipped: 3 });
  });
});

describe("Playwright", () => {
  it("is counted by its report; a test that passed at the second try has passed", () => {
    write({ stats: { expected: 4, unexpected: 2, flaky: 1, skipped: 3 } });
    expect(countPlaywright(file, 1)).toEqual({ passed: 5, failed: 2, skipped: 3 });
  });

  it("fails when it ends badly without a failed test", () => {
    write({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } });
    expect(countPlaywright(file, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe("a runner that wrote no report, or half of one", () => {
  it.each([countVitest, countPlaywright])("counts as one failure: %o", (count) => {
    const failure = { passed: 0, failed: 1, skipped: 0 };
    expect(count(file, 0)).toEqual(failure);
    expect(count(file, 137)).toEqual(failure);
    writeFileSync(file, '{"numPassed');
    expect(count(file, 0)).toEqual(failure);
  });
});

it("adds up", () => {
  expect(sum([countStep(0), countStep(1), { passed: 2, failed: 3, skipped: 4 }])).toEqual({
    passed: 3,
    failed: 4,
    skipped: 4,
  });
});
