import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";
import { isKnownApi } from "../replay-server";

const metaSchema = z.object({
  api: z.string(),
  provider: z.string(),
  model: z.string(),
  status: z.int().min(100).max(599).default(200),
  contentType: z.string().default("text/event-stream"),
  headers: z.record(z.string(), z.string()).default({}),
  /** The file that holds the body. */
  body: z.string().optional(),
});

const bodyFiles = ["response.sse", "response.json", "response.body"];

/** A recorded answer of a vendor. */
export interface WireCase {
  name: string;
  folder: string;
  meta: z.infer<typeof metaSchema>;
  body: Uint8Array;
  /** What stands in expect.json, as it is; undefined where there is none. */
  expected: unknown;
}

/** `<api>/<name>` for a folder that lies in one named after an API, else the path as given. */
export function caseName(path: string): string {
  const folder = resolve(path);
  const api = basename(dirname(folder));
  return isKnownApi(api) ? `${api}/${basename(folder)}` : path;
}

/** Reads a case. @throws with the file's name and what is wrong with it */
export function loadCase(path: string): WireCase {
  const folder = resolve(path);
  const parsed = metaSchema.safeParse(readJson(join(folder, "meta.json")));
  if (!parsed.success) {
    throw new Error(`${join(path, "meta.json")}: ${z.prettifyError(parsed.error)}`);
  }
  const meta = parsed.data;
  const bodyFile = meta.body ?? bodyFiles.find((name) => existsSync(join(folder, name)));
  if (!bodyFile) throw new Error(`${path}: there is none of ${bodyFiles.join(", ")}.`);
  const expectFile = join(folder, "expect.json");
  return {
    name: caseName(path),
    folder,
    meta,
    body: readFileSync(join(folder, basename(bodyFile))),
    expected: existsSync(expectFile) ? readJson(expectFile) : undefined,
  };
}

/** @throws with the path when the file is not there or not JSON */
export function readJson(path: string): unknown {
  const text = readFileSync(path, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
