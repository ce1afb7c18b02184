import { join } from "node:path";
import { Worker } from "node:worker_threads";
import * as z from "zod";

export interface ProgramLimits {
  timeMs: number;
  memoryBytes: number;
  /** Of the console and of the value, each, in characters. */
  outputChars: number;
}

export interface ConsoleLine {
  level: "log" | "info" | "warn" | "error" | "debug";
  text: string;
}

export interface ProgramOutcome {
  console: ConsoleLine[];
  /** The console said more than it may. */
  consoleCut: boolean;
  /** The last expression's value as text; "" for undefined. Absent when the program failed. */
  value?: string;
  /** Why it failed, in a sentence. */
  error?: string;
}

const reportSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("console"),
    level: z.enum(["log", "info", "warn", "error", "debug"]),
    text: z.string(),
    cut: z.boolean(),
  }),
  z.object({ type: z.literal("done"), value: z.string(), cut: z.boolean() }),
  z.object({ type: z.literal("failed"), message: z.string() }),
]);

/** What the engine itself needs to start on a busy machine, in ms. */
const startMs = 20_000;
const mostLines = 1000;

/**
 * Runs a program in QuickJS on a thread of its own. What it prints is told while it runs.
 * @throws the signal's reason when it aborts; the thread is gone then
 */
export function runProgram(
  code: string,
  limits: ProgramLimits,
  signal: AbortSignal,
  onConsole: (lines: ConsoleLine[]) => void = () => {},
): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const outcome: ProgramOutcome = { console: [], consoleCut: false };
    const worker = new Worker(workerFile(), {
      workerData: { code, ...limits },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      void worker.terminate();
      settle();
    };
    const finish = (change: Partial<ProgramOutcome>): void =>
      end(() => resolve({ ...outcome, ...change }));
    const stop = (): void => end(() => reject(signal.reason));
    // The engine ends the program by itself; this is for what it cannot interrupt.
    const timer = setTimeout(
      () => finish({ error: `The program ran longer than ${limits.timeMs / 1000} s.` }),
      limits.timeMs + startMs,
    );
    signal.addEventListener("abort", stop, { once: true });
    worker.on("message", (message: unknown) => {
      const report = reportSchema.parse(message);
      switch (report.type) {
        case "console":
          outcome.consoleCut ||= report.cut || outcome.console.length >= mostLines;
          if (outcome.console.length >= mostLines) return;
          outcome.console.push({ level: report.level, text: report.text });
          onConsole(outcome.console);
          return;
        case "done":
          return finish({ value: report.cut ? `${report.value}…` : report.value });
        case "failed":
          return finish({ error: report.message });
      }
    });
    worker.on("error", (error) => finish({ error: `The program broke off: ${error.message}` }));
    worker.on("exit", () => finish({ error: "The program broke off." }));
  });
}

// By its place in the project, and not relative to this module, which a build moves.
const workerFile = (): string =>
  join(/* turbopackIgnore: true */ process.cwd(), "lib/server/tools/javascript/worker.mjs");
