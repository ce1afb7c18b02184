import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { root } from "./root.mjs";

/** @typedef {{ env?: Record<string, string | undefined>, stdio?: import("node:child_process").StdioOptions, cwd?: string, timeoutMs?: number }} RunOptions */

/**
 * Runs a command until it ends, hands SIGINT and SIGTERM on to it, and gives its exit code (128 + number after a signal,
 * 127 when it cannot be started, 124 when it ran for longer than `timeoutMs`).
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export function runCommand(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: /** @type {NodeJS.ProcessEnv} */ (options.env ?? process.env),
      stdio: options.stdio ?? "inherit",
      shell: process.platform === "win32" && command.endsWith(".cmd"),
    });
    let timedOut = false;
    const timer = options.timeoutMs
      ? setTimeout(() => {
          timedOut = true;
          child.kill("SIGTERM");
        }, options.timeoutMs)
      : undefined;
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => void child.kill(signal);
    process.on("SIGINT", forward);
    process.on("SIGTERM", forward);
    /** @param {number} code */
    const finish = (code) => {
      clearTimeout(timer);
      process.off("SIGINT", forward);
      process.off("SIGTERM", forward);
      resolve(code);
    };
    child.on("error", (error) => {
      console.error(`${command}: ${error.message}`);
      finish(127);
    });
    child.on("close", (code, signal) => {
      if (timedOut) finish(124);
      else finish(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/**
 * Runs a script of an installed package with this Node.
 *
 * @param {string} script path below node_modules
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function runPackage(script, args, options) {
  return runCommand(process.execPath, [join(root, "node_modules", script), ...args], options);
}

/**
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  if (npm && /npm-cli\.[cm]?js$/.test(npm)) {
    return runCommand(process.execPath, [npm, ...args], options);
  }
  return runCommand(process.platform === "win32" ? "npm.cmd" : "npm", args, options);
}
