import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReplayServer } from "@/scripts/replay-server";
import { nextCommand } from "../../scripts/setup/build.mjs";
import { freePort } from "../../scripts/setup/port.mjs";

const inherited = ["PATH", "HOME", "TMPDIR", "TEMP", "SystemRoot", "LANG"];

/** A key that no vendor gave out. A test that looks for leaks looks for it. */
export const serverKey = "server-key-0123456789";

/** Rill as `npm start` serves it, in a process of its own. */
export interface AppServer {
  url: string;
  /** What it printed so far. */
  output(): string;
  stop(): Promise<void>;
}

/**
 * Starts Rill on a free port, with its vendors' base URLs at the replay server and nothing of this shell's environment.
 *
 * @param env overrides; undefined takes a variable away
 */
export async function startApp(
  vendor: ReplayServer,
  env: Record<string, string | undefined> = {},
): Promise<AppServer> {
  const port = await freePort();
  const dataFolder = mkdtempSync(join(tmpdir(), "rill-e2e-"));
  const next = join("node_modules", nextCommand);
  const child = spawn(process.execPath, [next, "start", "-H", "127.0.0.1", "-p", String(port)], {
    env: {
      ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      RILL_HOST: "127.0.0.1",
      RILL_DATA_DIR: dataFolder,
      RILL_DEMO_SPEED: "6",
      OPENAI_API_KEY: serverKey,
      OPENAI_BASE_URL: vendor.baseUrl("openai-responses"),
      ANTHROPIC_API_KEY: serverKey,
      ANTHROPIC_BASE_URL: vendor.baseUrl("anthropic-messages"),
      GEMINI_API_KEY: serverKey,
      GOOGLE_GEMINI_BASE_URL: vendor.baseUrl("google-generative-ai"),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/\bReady in\b/.test(output)) resolve();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("close", (code) => reject(new Error(`Rill ended with ${code}:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
