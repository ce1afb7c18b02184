/**
 * Recorded answers of vendors through the adapters and SDKs: our own small ones everywhere, the large set where it lies
 * beside the repository.
 */

import { relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiImplementation } from "@/lib/ai/apis";
import { ReplayServer } from "@/scripts/replay-server";
import { OrderChecker } from "@/scripts/wire-cases/event-order";
import { differences } from "@/scripts/wire-cases/expectation";
import { faultDeliveries, faultDifferences } from "@/scripts/wire-cases/fault-expectation";
import { type Playback, type PlayOptions, playCase } from "@/scripts/wire-cases/play-case";
import { caseFolders, ownCases, sharedFolder } from "@/scripts/wire-cases/shared-folder";
import { loadCase, type WireCase } from "@/scripts/wire-cases/wire-case";

let server: ReplayServer;

beforeAll(async () => {
  server = await ReplayServer.start();
});
afterAll(async () => {
  await server.stop();
});

/** Plays a case and fails when its events break a rule of their order. */
async function play(wireCase: WireCase, options?: PlayOptions): Promise<Playback> {
  const order = new OrderChecker();
  const playback = await playCase(wireCase, server, apiImplementation(wireCase.meta.api), {
    ...options,
    observe: (event) => order.see(event),
  });
  expect(order.finish()).toEqual([]);
  return playback;
}

/** The parts of a message that a clock does not touch. */
function timeless({ message }: Playback): unknown {
  const { timestamp: _, durationMs: __, diagnostics, ...rest } = message;
  return {
    ...rest,
    diagnostics: diagnostics?.map(({ timestamp: _, ...diagnostic }) => diagnostic),
  };
}

const casesIn = (folder: string): [name: string, wireCase: WireCase][] =>
  caseFolders(folder).map((path) => {
    const wireCase = loadCase(path);
    return [wireCase.name.startsWith("/") ? relative(folder, path) : wireCase.name, wireCase];
  });

describe("our own recordings", () => {
  it.each(casesIn(ownCases))("%s, whole and in chunks", async (_name, wireCase) => {
    const whole = await play(wireCase);
    expect(differences(whole.message, wireCase.expected)).toEqual([]);
    const bytes = await play(wireCase, { split: 1 });
    expect(timeless(bytes)).toEqual(timeless(whole));
    const random = await play(wireCase, { split: { seed: 1 } });
    expect(timeless(random)).toEqual(timeless(whole));
  });
});

/** How many random ways of cutting each recording is played in. */
const randomSeeds = 20;

const wire = sharedFolder("wire");
describe("recordings beside the repository", () => {
  if (!wire) return it.skip("../shared/wire is not here");

  it.each(casesIn(`${wire}/cases`))("recording %s", async (_name, wireCase) => {
    const whole = await play(wireCase);
    expect(differences(whole.message, wireCase.expected)).toEqual([]);
    const bytes = await play(wireCase, { split: 1 });
    expect(timeless(bytes)).toEqual(timeless(whole));
    for (let seed = 1; seed <= randomSeeds; seed++) {
      const random = await play(wireCase, { split: { seed } });
      expect(timeless(random)).toEqual(timeless(whole));
    }
  });
});

const faults = sharedFolder("faults");
describe("faults of the wire that people met", () => {
  if (!faults) return it.skip("../shared/faults is not here");

  /** A case here asks for a user who stops, or for prices: it is tested where those are. */
  const elsewhere = new Set(["B164"]);
  const cases = casesIn(`${faults}/cases`).filter(([name]) => !elsewhere.has(name));

  it.each(cases)("fault %s", async (_name, wireCase) => {
    for (const delivery of faultDeliveries(wireCase)) {
      const playback = await play(wireCase, delivery);
      expect(faultDifferences(playback, wireCase.expected)).toEqual([]);
    }
  });
});
