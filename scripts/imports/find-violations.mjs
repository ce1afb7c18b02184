import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, posix } from "node:path";
import { readImports } from "./read-imports.mjs";
import {
  frameworks,
  testPath,
  testSupport,
  vendorSdkFolders,
  vendorSdks,
  zones,
} from "./rules.mjs";

const folders = ["app", "components", "lib", "e2e", "scripts", "bench"];
const sourceFile = /\.[cm]?[jt]sx?$/;

/**
 * @param {string} path
 * @param {string} folder
 */
const isBelow = (path, folder) => path === folder || path.startsWith(`${folder}/`);

/**
 * @param {string} specifier
 * @param {readonly string[]} packages
 */
const isOneOf = (specifier, packages) => packages.some((name) => isBelow(specifier, name));

/**
 * Every import under `root` that goes against the rules, as `file:line: sentence`.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function findViolations(root) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => sourceFiles(root, folder))
    .flatMap((path) => violationsOf(path, readFileSync(join(root, path), "utf8")));
}

/**
 * @param {string} path
 * @param {string} source
 * @returns {string[]}
 */
function violationsOf(path, source) {
  if (path.startsWith("lib/") && !zones.some(({ folder }) => isBelow(path, folder))) {
    return [`${path}:1: this folder has no rule: give it one in scripts/imports/rules.mjs.`];
  }
  return readImports(path, source).flatMap(({ specifier, line }) => {
    const complaint = judge(path, specifier);
    return complaint ? [`${path}:${line}: ${complaint}`] : [];
  });
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function sourceFiles(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourceFiles(root, path);
    return sourceFile.test(entry.name) ? [path] : [];
  });
}

/**
 * @param {string} path of the importing file, relative to the root
 * @param {string} specifier
 * @returns {string | undefined} what is wrong with it
 */
function judge(path, specifier) {
  if (isOneOf(specifier, vendorSdks) && !isOneOf(path, vendorSdkFolders)) {
    return `only ${vendorSdkFolders[0]} may load the vendor SDK "${specifier}".`;
  }
  const zone = zones.find(({ folder }) => isBelow(path, folder));
  if (!zone) return undefined;
  const isTest = testPath.test(path);
  const target = projectPath(path, specifier);
  if (target !== undefined) return judgeProjectImport(zone, isTest, specifier, target);
  if (isTest) return undefined;
  if (zone.neutral && isNodeModule(specifier)) {
    return `${zone.folder} runs in a browser too, so it may not import "${specifier}".`;
  }
  if (zone.plain && isOneOf(specifier, frameworks)) {
    return `${zone.folder} knows nothing of "${specifier}".`;
  }
  return undefined;
}

/**
 * @param {import("./rules.mjs").Zone} zone
 * @param {boolean} isTest
 * @param {string} specifier
 * @param {string} target
 * @returns {string | undefined}
 */
function judgeProjectImport(zone, isTest, specifier, target) {
  if (!isTest && testPath.test(target)) return `"${specifier}" is for tests only.`;
  const allowed = isTest ? [...zone.mayImport, ...testSupport] : zone.mayImport;
  if (!allowed.some((folder) => isBelow(target, folder))) {
    return `${zone.folder} may not import ${target} ("${specifier}"). It may import: ${allowed.join(", ")}.`;
  }
  if (zone.relativeOnly && !isTest && specifier.startsWith("@/")) {
    return `${zone.folder} imports by relative path only, and this is "${specifier}".`;
  }
  return undefined;
}

/**
 * @param {string} from
 * @param {string} specifier
 * @returns {string | undefined} the imported file relative to the root; undefined for a package
 */
function projectPath(from, specifier) {
  if (specifier.startsWith("@/")) return posix.normalize(specifier.slice(2));
  if (/^\.\.?(\/|$)/.test(specifier)) return posix.join(posix.dirname(from), specifier);
  return undefined;
}

/** @param {string} specifier */
function isNodeModule(specifier) {
  return specifier.startsWith("node:") || isOneOf(specifier, builtinModules);
}
