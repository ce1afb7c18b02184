import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** @param {string} path */
const isTest = (path) => /\.test\.[cm]?[jt]sx?$/.test(path);

/**
 * @param {string} folder
 * @param {string} path relative to folder
 * @returns {string[]} the files at or below path, tests left out
 */
function filesBelow(folder, path) {
  const full = join(folder, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return isTest(path) ? [] : [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesBelow(folder, `${path}/${name}`));
}

/**
 * A hash over names and contents. Contents, since a checkout gives every file a new time.
 *
 * @param {string} folder
 * @param {string[]} paths files or folders, relative to folder; what is not there counts as such
 */
export function fingerprint(folder, paths) {
  const hash = createHash("sha256");
  for (const path of paths.flatMap((path) => filesBelow(folder, path))) {
    const content = readFileSync(join(folder, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
