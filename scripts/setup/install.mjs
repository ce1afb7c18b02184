/**
 * `node_modules` is up to date when its stamp names this lockfile, or, where somebody ran npm by hand, when npm's own record
 * of what it installed lists every package of the lockfile in its version.
 */

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Explained } from "./explain.mjs";
import { root } from "./root.mjs";
import { runNpm } from "./run-command.mjs";

/** @typedef {{ packages?: Record<string, { version?: string, optional?: boolean, link?: boolean }> }} Lockfile */

const stampPath = ["node_modules", ".rill-install"];

const platform = `${process.platform} ${process.arch}`;

/** @param {string} folder */
function stampOf(folder) {
  const lockfile = readFileSync(join(folder, "package-lock.json"));
  return `${createHash("sha256").update(lockfile).digest("hex")} ${platform}`;
}

/**
 * @param {Lockfile} wanted package-lock.json
 * @param {Lockfile} installed node_modules/.package-lock.json, which npm writes at the end of an installation
 */
export function isInstalled(wanted, installed) {
  return Object.entries(wanted.packages ?? {}).every(([path, entry]) => {
    if (path === "" || entry.link) return true;
    const found = installed.packages?.[path];
    return found ? found.version === entry.version : entry.optional === true;
  });
}

/**
 * @param {string} folder
 * @returns {boolean}
 */
export function installIsCurrent(folder) {
  const stampFile = join(folder, ...stampPath);
  if (existsSync(stampFile)) {
    const stamp = readFileSync(stampFile, "utf8");
    if (stamp === stampOf(folder)) return true;
    if (!stamp.endsWith(platform)) return false;
  }
  try {
    /** @type {(name: string) => Lockfile} */
    const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
    return isInstalled(read("package-lock.json"), read("node_modules/.package-lock.json"));
  } catch {
    return false;
  }
}

/** @param {string} folder */
export function writeInstallStamp(folder) {
  writeFileSync(join(folder, ...stampPath), stampOf(folder));
}

/**
 * Installs exactly what package-lock.json says, the tools for building included, unless that has been done.
 *
 * @param {{ quiet?: boolean }} [options] quiet: nothing on stdout
 */
export async function ensureInstalled({ quiet = false } = {}) {
  if (!installIsCurrent(root)) {
    console.error("Installing packages (npm ci) …");
    const code = await runNpm(["ci", "--include=dev", "--no-audit", "--no-fund"], {
      stdio: quiet ? ["ignore", 2, 2] : "inherit",
    });
    if (code !== 0) {
      throw new Explained(
        `The installation failed: npm ended with code ${code}, and says why above. Is the npm registry reachable?`,
      );
    }
  }
  writeInstallStamp(root);
}
