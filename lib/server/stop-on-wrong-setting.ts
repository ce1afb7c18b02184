import { ConfigError, serverConfig } from "./config";

/** Reads the environment at the start: a wrong setting ends the process with a sentence that names the variable. */
export function stopOnWrongSetting(): void {
  try {
    serverConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
