import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Context, Model, SimpleStreamOptions } from "@/lib/ai/types";
import { readJson } from "../wire-cases/wire-case";
import { targetModel } from "./target-model";

const messagesSchema = z.object({
  systemPrompt: z.string().optional(),
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
});

/** A transcript and the model that is to answer it. */
export interface PayloadCase {
  model: Model;
  context: Context;
  options: SimpleStreamOptions;
}

/** Reads `messages.json` and `target.json`. @throws with the file's name and what is wrong with it */
export function loadPayloadCase(folder: string): PayloadCase {
  // A file that no JSON tool may touch, such as one with half a surrogate pair, is kept as text.
  const file = [join(folder, "messages.json"), join(folder, "messages.json.txt")].find(existsSync);
  if (!file) throw new Error(`${folder}: there is no messages.json.`);
  const parsed = messagesSchema.safeParse(readJson(file));
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  const { options, ...context } = parsed.data;
  return {
    model: targetModel(readJson(join(folder, "target.json"))),
    // What stands inside a message is for the adapter to cope with: broken transcripts are what these cases are for.
    context: context as unknown as Context,
    options: (options ?? {}) as SimpleStreamOptions,
  };
}
