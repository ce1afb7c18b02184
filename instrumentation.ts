/** Runs once when the server starts. */
export async function register(): Promise<void> {
  // Positive, so that the build leaves the branch out where there is no process to end.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { stopOnWrongSetting } = await import("@/lib/server/stop-on-wrong-setting");
    stopOnWrongSetting();
  }
}
