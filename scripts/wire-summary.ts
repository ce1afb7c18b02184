/**
 * `npm run --silent wire -- [folder] [--chunk N|random] [--seed S]`: plays every recording below a folder (the set beside the
 * repository unless named) and prints what differs from its `expect.json`, then how many fit.
 */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { apiImplementation } from "@/lib/ai/apis";
import { readSplit } from "./read-split";
import { ReplayServer } from "./replay-server";
import { OrderChecker } from "./wire-cases/event-order";
import { differences } from "./wire-cases/expectation";
import { playCase } from "./wire-cases/play-case";
import { caseFolders, ownCases, sharedFolder } from "./wire-cases/shared-folder";
import { loadCase } from "./wire-cases/wire-case";

const { positionals, values } = parseArgs({
  options: { chunk: { type: "string" }, seed: { type: "string" } },
  allowPositionals: true,
});
const split = readSplit(values.chunk, values.seed);
const beside = sharedFolder("wire");
const folder = positionals[0] ? resolve(positionals[0]) : beside ? `${beside}/cases` : ownCases;

const server = await ReplayServer.start();
let right = 0;
const folders = caseFolders(folder);
for (const path of folders) {
  const wireCase = loadCase(path);
  const problems = await problemsOf();
  if (problems.length === 0) right++;
  for (const problem of problems) console.log(`${wireCase.name}: ${problem}`);

  async function problemsOf(): Promise<string[]> {
    const order = new OrderChecker();
    try {
      const { message } = await playCase(wireCase, server, apiImplementation(wireCase.meta.api), {
        split,
        observe: (event) => order.see(event),
      });
      return [...order.finish(), ...differences(message, wireCase.expected)];
    } catch (error) {
      return [String(error)];
    }
  }
}
await server.stop();
console.log(`${right} of ${folders.length} recordings come out as expected.`);
