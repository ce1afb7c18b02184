/** Runs once when the server starts. A wrong setting ends it here, with a sentence that names the variable. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { ConfigError, serverConfig } = await import("@/lib/server/config");
  try {
    serverConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
