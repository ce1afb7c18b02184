/** `npm start`: installs, builds and serves, and leaves out what is up to date. Needs nothing but Node and npm. */

import { ensureBuilt, nextCommand, productionEnv } from "./setup/build.mjs";
import { runMain } from "./setup/explain.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { requireNode } from "./setup/node-version.mjs";
import { runPackage } from "./setup/run-command.mjs";
import { chooseAddress } from "./setup/serve.mjs";

await runMain(async () => {
  requireNode();
  await chooseAddress();
  await ensureInstalled();
  await ensureBuilt();
  const { host, port, nextArguments } = await chooseAddress();
  const name = host === "127.0.0.1" ? "localhost" : host;
  console.log(`Starting Rill on http://${name}:${port} (Ctrl+C stops it).`);
  return runPackage(nextCommand, ["start", ...nextArguments], {
    env: { ...productionEnv(), PORT: String(port), RILL_HOST: host },
  });
});
