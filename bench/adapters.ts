/**
 * `npm run bench:adapters [-- --runs N] [--api NAME] [--case NAME]`: what reading a vendor's stream costs, in CPU time. For
 * each api, on the same bodies: a bare loop (fetch, eventsource-parser, JSON.parse), the vendor's SDK, and the model layer.
 *
 * The bodies come over loopback from a process of its own: all ways pay for the same real `fetch`, and nothing of the server
 * is counted. One process, runs that take turns, medians.
 */

import { fork } from "node:child_process";
import { once } from "node:events";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { KnownApi } from "@/lib/ai/types";
import { bareLoop } from "./adapters/bare-loop";
import { apiNames } from "./adapters/bodies";
import { type CaseName, cases } from "./adapters/cases";
import { modelLayer } from "./adapters/layer";
import { interleaved } from "./adapters/measure";
import { sdkIteration, sentBySdk } from "./adapters/sdks";
import { type Row, table } from "./adapters/table";
import type { Way } from "./adapters/ways";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "12" },
    api: { type: "string", default: "" },
    case: { type: "string", default: "" },
  },
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs wants a number above 0.");

const server = fork(new URL("./adapters/server.ts", import.meta.url));
const [port] = (await once(server, "message")) as [number];

async function measure(api: KnownApi, name: CaseName): Promise<Row> {
  const { requests } = cases[name];
  const baseUrl = `http://127.0.0.1:${port}/${api}/${name}`;
  const run = (way: Way) => async (): Promise<void> => {
    for (let request = 0; request < requests; request++) await way(api, baseUrl);
  };
  const ways = { loop: run(bareLoop), sdk: run(sdkIteration), ours: run(modelLayer) };
  const { loop, sdk, ours, sent } =
    name === "short"
      ? await interleaved({ ...ways, sent: run(sentBySdk) }, runs)
      : { ...(await interleaved(ways, runs)), sent: 0 };
  return {
    api,
    name,
    loop: loop / requests,
    sdk: sdk / requests,
    ours: ours / requests,
    sent: sent / requests,
  };
}

const rows: Row[] = [];
for (const api of apiNames.filter((name) => name.includes(values.api))) {
  for (const name of (Object.keys(cases) as CaseName[]).filter((name) =>
    name.includes(values.case),
  )) {
    rows.push(await measure(api, name));
    process.stderr.write(".");
  }
}
server.disconnect();
process.stderr.write("\n");
const [cpu] = cpus();
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}`,
);
console.log(`Medians of ${runs} interleaved runs, ms of CPU a request\n`);
console.log(table(rows));
