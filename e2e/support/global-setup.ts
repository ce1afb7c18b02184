import { ensureBuilt } from "../../scripts/setup/build.mjs";

/** The tests run against a production build of the sources as they are. */
export default async function globalSetup(): Promise<void> {
  await ensureBuilt();
}
