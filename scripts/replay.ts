/**
 * `npm run --silent replay -- <folder>... [--chunk N|random] [--seed S]`: plays recorded answers of vendors through the real
 * adapters and SDKs over a loopback server. Prints one line of JSON for each folder, in order: `{case, events, message}`, or
 * `{case, error}` where no final message came. Ends with 0 when every case gave a final message, one that tells of an error
 * included.
 */

import { apiImplementation } from "@/lib/ai/apis";
import { printLine, readArguments } from "./command-line";
import { readSplit } from "./read-split";
import { ReplayServer } from "./replay-server";
import { playCase } from "./wire-cases/play-case";
import { caseName, loadCase } from "./wire-cases/wire-case";

const usage = "npm run --silent replay -- <folder>... [--chunk N|random] [--seed S]";

const { folders, values } = readArguments(usage, {
  chunk: { type: "string" },
  seed: { type: "string" },
});
const split = readSplit(values.chunk, values.seed);
const server = await ReplayServer.start();
for (const folder of folders) {
  try {
    const wireCase = loadCase(folder.path);
    const playback = await playCase(wireCase, server, apiImplementation(wireCase.meta.api), {
      split,
    });
    printLine({ case: caseName(folder.given), ...playback });
  } catch (error) {
    printLine({ case: caseName(folder.given), error: String(error) });
    process.exitCode = 1;
  }
}
await server.stop();
