/** Where the tests get their browser from. Playwright's own download is not taken for granted: many networks refuse it. */

import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { Explained } from "./explain.mjs";
import { root } from "./root.mjs";
import { runCommand, runPackage } from "./run-command.mjs";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "chrome.exe",
];

const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  join(homedir(), "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "/snap/bin/chromium",
];

/** Chromium's flags for tests: it starts as root too, and asks no host for anything on its own. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Whether the file is there and starts. Some systems have a stub by the name that only says what to install.
 *
 * @param {string} path
 */
function works(path) {
  try {
    accessSync(path, constants.X_OK);
    // Chrome on Windows opens a window when asked for its version.
    if (process.platform !== "win32") {
      execFileSync(path, ["--version"], { stdio: "ignore", timeout: 30_000 });
    }
    return true;
  } catch {
    return false;
  }
}

/** @returns {string | undefined} */
function playwrightChromium() {
  try {
    const require = createRequire(join(root, "package.json"));
    return require("@playwright/test").chromium.executablePath();
  } catch {
    return undefined;
  }
}

/**
 * The browser to test with: `CHROMIUM_PATH`, else Playwright's own, else the system's.
 *
 * @returns {string | undefined} the path of its executable
 */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH?.trim();
  if (named) {
    if (works(named)) return named;
    throw new Explained(`CHROMIUM_PATH is "${named}", which cannot be started.`);
  }
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return [playwrightChromium(), ...onPath, ...applications].find(
    (path) => path !== undefined && works(path),
  );
}

/**
 * Finds a browser, or installs one: Playwright's, else Debian's package where we are root.
 *
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  console.log("No Chromium here: trying Playwright's.");
  await runPackage("@playwright/test/cli.js", ["install", "chromium"], { timeoutMs: 300_000 });
  const downloaded = findChromium();
  if (downloaded) return downloaded;
  if (process.platform === "linux" && process.getuid?.() === 0) {
    console.log("Trying Debian's package.");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await runCommand("apt-get", ["update"], { env, timeoutMs: 300_000 });
    await runCommand("apt-get", ["install", "-y", "chromium"], { env, timeoutMs: 600_000 });
    const packaged = findChromium();
    if (packaged) return packaged;
  }
  throw new Explained(
    "No Chromium for the tests, and none could be installed. Install Chromium or Chrome, or name one in CHROMIUM_PATH.",
  );
}
