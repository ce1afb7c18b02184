/** `npm run dev`: installs if needed and serves the sources as they change. */

import { nextCommand } from "./setup/build.mjs";
import { runMain } from "./setup/explain.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { requireNode } from "./setup/node-version.mjs";
import { runPackage } from "./setup/run-command.mjs";
import { chooseAddress } from "./setup/serve.mjs";

await runMain(async () => {
  requireNode();
  await ensureInstalled();
  const { host, port, nextArguments } = await chooseAddress();
  return runPackage(nextCommand, ["dev", ...nextArguments], {
    env: {
      ...process.env,
      NODE_ENV: "development",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      RILL_HOST: host,
    },
  });
});
