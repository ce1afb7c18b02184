import type { AgentToolResult } from "@/lib/agent/types";
import type { ServerTool } from "../server-tool";
import {
  type ConsoleLine,
  type ProgramLimits,
  type ProgramOutcome,
  runProgram,
} from "./run-program";

const defaultLimits: ProgramLimits = {
  timeMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  outputChars: 20_000,
};
const longestProgram = 100_000;

/** What a card shows of a program that has run. */
export interface RunJavascriptDetails {
  console: ConsoleLine[];
  value?: string;
  error?: string;
}

/** Runs a program that a model wrote, in an engine that has no way out. */
export function runJavascriptTool(limits: Partial<ProgramLimits> = {}): ServerTool {
  const inForce = { ...defaultLimits, ...limits };
  return {
    name: "run_javascript",
    label: "Run JavaScript",
    description:
      "Runs a JavaScript program and gives what it prints with console.log and the value of its last expression. " +
      "Use it for exact computing, sorting, parsing and checking. There is no network, file, timer, DOM or module, and nothing is kept between calls. " +
      `Limits: ${inForce.timeMs / 1000} s, ${inForce.memoryBytes / 1024 / 1024} MB.`,
    parameters: {
      type: "object",
      properties: {
        code: { type: "string", description: "The program. Its last expression is its result." },
      },
      required: ["code"],
      additionalProperties: false,
    },
    timeoutMs: inForce.timeMs + 30_000,
    execute: async (_toolCallId, args, signal, onUpdate) => {
      const code = String(args.code);
      if (code.length > longestProgram) {
        throw new Error(`The program is too long: at most ${longestProgram} characters.`);
      }
      let told = 0;
      const outcome = await runProgram(code, inForce, signal, (lines) => {
        // Each update holds all lines so far, so they get rarer as there are more.
        if (lines.length < told * 1.5) return;
        told = lines.length;
        onUpdate(toResult({ console: [...lines], consoleCut: false }));
      });
      return toResult(outcome);
    },
  };
}

function toResult({ console, consoleCut, value, error }: ProgramOutcome): AgentToolResult {
  const printed = console.map(({ level, text }) => (level === "log" ? text : `[${level}] ${text}`));
  if (consoleCut) printed.push("[The rest of the output is left out.]");
  const parts = [
    printed.join("\n"),
    value ? `Value: ${value}` : "",
    error === undefined ? "" : error,
  ].filter(Boolean);
  const details: RunJavascriptDetails = {
    console,
    ...(value === undefined ? {} : { value }),
    ...(error === undefined ? {} : { error }),
  };
  return {
    content: [{ type: "text", text: parts.join("\n") || "The program ended without output." }],
    details,
    isError: error !== undefined,
  };
}
