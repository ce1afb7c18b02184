/** `node scripts/run-ts.mjs <file.ts> [arguments]`: installs if needed, then runs the file. stdout is the file's own. */

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Explained, runMain } from "./setup/explain.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { requireNode } from "./setup/node-version.mjs";
import { root } from "./setup/root.mjs";
import { runCommand } from "./setup/run-command.mjs";

await runMain(async () => {
  requireNode();
  const [file, ...args] = process.argv.slice(2);
  if (!file) throw new Explained("Which file? node scripts/run-ts.mjs <file.ts> [arguments]");
  await ensureInstalled({ quiet: true });
  const loader = pathToFileURL(join(root, "node_modules/tsx/dist/loader.mjs")).href;
  return runCommand(process.execPath, ["--import", loader, resolve(root, file), ...args], {
    cwd: process.cwd(),
    env: { ...process.env, TSX_TSCONFIG_PATH: join(root, "tsconfig.json") },
  });
});
