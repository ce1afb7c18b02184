/**
 * `npm run --silent payload -- <folder>...`: the request that an adapter would send for a transcript. A folder holds
 * `messages.json` (`{systemPrompt?, messages, tools?, options?}`, or `messages.json.txt`) and `target.json`
 * (`{api, provider, model, …}`, more fields of a model or compat flags). Prints one line of JSON for each folder, in order:
 * `{case, url, headers, body}`, or `{case, error}` where no request was made, which ends the command with 1. Nothing is sent.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { apiImplementation } from "@/lib/ai/apis";
import type { Context, SimpleStreamOptions } from "@/lib/ai/types";
import { printLine, readArguments } from "./command-line";
import { captureRequest } from "./payload/capture-request";
import { targetModel } from "./payload/target-model";
import { caseName, readJson } from "./wire-cases/wire-case";

const messagesSchema = z.object({
  systemPrompt: z.string().optional(),
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
});

const { folders } = readArguments("npm run --silent payload -- <folder>...", {});
for (const folder of folders) {
  const name = caseName(folder.given);
  try {
    const { context, options } = readMessages(folder.path);
    const model = targetModel(readJson(join(folder.path, "target.json")));
    const { url, headers, body } = await captureRequest(
      apiImplementation(model.api),
      model,
      context,
      options,
    );
    printLine({ case: name, url, headers, body });
  } catch (error) {
    printLine({ case: name, error: String(error) });
    process.exitCode = 1;
  }
}

function readMessages(folder: string): { context: Context; options: SimpleStreamOptions } {
  // A file that no JSON tool may touch, such as one with half a surrogate pair, is kept as text.
  const file = [join(folder, "messages.json"), join(folder, "messages.json.txt")].find(existsSync);
  if (!file) throw new Error(`${folder}: there is no messages.json.`);
  const parsed = messagesSchema.safeParse(readJson(file));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  const { options, ...context } = parsed.data;
  // What stands inside a message is for the adapter to cope with: broken transcripts are what this command is for.
  return {
    context: context as unknown as Context,
    options: (options ?? {}) as SimpleStreamOptions,
  };
}
