import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readTestNames } from "./read-tests.mjs";

const number = /^(?:[PAL]-\d{3}|W-\d{2}|F-\d+|X\d+b?)$/;
const numberLike = /^[A-Z]-?\d+[a-z]?$/;
const citation = /`([^`]+?) › ([^`]+)`/g;
const reason = /^Does not apply: \S/;

/**
 * What is wrong with the document, a line each: a number that is missing, twice there or not known, a row that neither names
 * a test nor says why it does not apply, a test that is not there.
 *
 * @param {string} document docs/protocol.md
 * @param {readonly string[]} numbers
 * @param {string} root where the tests' paths begin
 * @returns {string[]}
 */
export function findGaps(document, numbers, root) {
  /** @type {string[]} */
  const gaps = [];
  /** @type {Map<string, Set<string> | undefined>} */
  const files = new Map();
  /** @param {string} path */
  const testsOf = (path) => {
    if (!files.has(path)) {
      const file = join(root, path);
      files.set(
        path,
        existsSync(file) ? readTestNames(path, readFileSync(file, "utf8")) : undefined,
      );
    }
    return files.get(path);
  };
  /** @type {Set<string>} */
  const seen = new Set();
  for (const { cells, line } of rows(document)) {
    const subject = cells[0] ?? "";
    /** @param {string} what */
    const report = (what) => gaps.push(`line ${line}, ${subject}: ${what}`);
    if (number.test(subject) || numberLike.test(subject)) {
      if (!numbers.includes(subject)) report("is no number of the protocol");
      else if (seen.has(subject)) report("is there twice");
      seen.add(subject);
    }
    if (cells.slice(0, -1).some((cell) => cell === "")) report("an empty cell");
    const proof = cells.at(-1) ?? "";
    const cited = [...proof.matchAll(citation)];
    if (cited.length === 0 && !reason.test(proof)) report("no test, and no reason why not");
    for (const [, path = "", name = ""] of cited) {
      const tests = testsOf(path);
      if (!tests) report(`there is no file ${path}`);
      else if (!tests.has(name)) report(`${path} has no test "${name}"`);
    }
  }
  return [
    ...numbers.filter((wanted) => !seen.has(wanted)).map((wanted) => `${wanted} is missing`),
    ...gaps,
  ];
}

/**
 * The rows of all tables, without their heads.
 *
 * @param {string} document
 * @returns {{ cells: string[], line: number }[]}
 */
function rows(document) {
  const lines = document.split("\n");
  return lines.flatMap((text, index) => {
    const isRow = text.startsWith("|") && !isRule(text) && !isRule(lines[index + 1] ?? "");
    if (!isRow) return [];
    const cells = text
      .slice(1, text.lastIndexOf("|"))
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|"));
    return [{ cells, line: index + 1 }];
  });
}

/** @param {string} text */
function isRule(text) {
  return /^\|(\s*:?-+:?\s*\|)+\s*$/.test(text);
}
