/** Requests that other systems built wrongly, where the cases lie beside the repository. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { apiImplementation } from "@/lib/ai/apis";
import { captureRequest } from "@/scripts/payload/capture-request";
import { loadPayloadCase } from "@/scripts/payload/payload-case";
import { sharedFolder } from "@/scripts/wire-cases/shared-folder";
import { readJson } from "@/scripts/wire-cases/wire-case";

const patterns = z.array(z.string().transform((source) => new RegExp(source))).default([]);
const expectationSchema = z.object({ bodyMatches: patterns, bodyLacks: patterns });

const faults = sharedFolder("faults");
describe("faults of requests that people met", () => {
  if (!faults) return it.skip("../shared/faults is not here");

  const names = readdirSync(join(faults, "cases")).filter((name) =>
    existsSync(join(faults, "cases", name, "target.json")),
  );
  it.each(names)("request of fault %s", async (name) => {
    const folder = join(faults, "cases", name);
    const { model, context, options } = loadPayloadCase(folder);
    const request = await captureRequest(apiImplementation(model.api), model, context, options);
    const body = JSON.stringify(request.body);
    const { bodyMatches, bodyLacks } = expectationSchema.parse(
      readJson(join(folder, "expect.json")),
    );
    for (const pattern of bodyMatches) expect(body).toMatch(pattern);
    for (const pattern of bodyLacks) expect(body).not.toMatch(pattern);
  });
});
