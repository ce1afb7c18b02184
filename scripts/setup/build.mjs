import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Explained } from "./explain.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { root } from "./root.mjs";
import { runPackage } from "./run-command.mjs";

export const nextCommand = "next/dist/bin/next";

/** What a production build and the server built by it must run with, whatever the shell says. */
export function productionEnv() {
  return { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
}

const sources = [
  "app",
  "components",
  "lib",
  "public",
  "next.config.mjs",
  "postcss.config.mjs",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
  ".env",
  ".env.local",
  ".env.production",
  ".env.production.local",
];

/** Builds with `next build`, unless the last build was made from these very sources. */
export async function ensureBuilt() {
  const stamp = join(root, ".next", "rill-build");
  const current = fingerprint(root, sources);
  const built = existsSync(join(root, ".next", "BUILD_ID")) && existsSync(stamp);
  if (built && readFileSync(stamp, "utf8") === current) {
    console.log("The build is up to date.");
    return;
  }
  console.log("Building …");
  rmSync(stamp, { force: true });
  const code = await runPackage(nextCommand, ["build"], { env: productionEnv() });
  if (code !== 0)
    throw new Explained(`The build failed with code ${code}; the reason stands above.`);
  writeFileSync(stamp, current);
}
