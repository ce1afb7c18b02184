import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export interface FolderArgument {
  /** As it was typed. */
  given: string;
  path: string;
}

type StringOptions = Record<string, { type: "string" }>;

/**
 * The command's folders and options; ends the process with 2 and the usage when they make no sense. A relative folder counts
 * from where the person stands, even when npm has gone to the repository's root.
 */
export function readArguments<T extends StringOptions>(
  usage: string,
  options: T,
): { folders: FolderArgument[]; values: { [name in keyof T]?: string } } {
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    if (positionals.length === 0) throw new Error("Which folders?");
    return {
      folders: positionals.map((given) => ({ given, path: locate(given) })),
      values: values as { [name in keyof T]?: string },
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}

function locate(given: string): string {
  const here = resolve(given);
  const whereNpmWasCalled = process.env.INIT_CWD;
  return existsSync(here) || !whereNpmWasCalled ? here : resolve(whereNpmWasCalled, given);
}

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** Prints a value as one line of JSON. */
export function printLine(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
