import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { KnownApi, Model } from "../../types.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";
import { testModel } from "../run-stream.ts";
import { requestCheckers } from "./index.ts";

const folder = "../shared/wire/requests";
const apis = Object.keys(requestCheckers) as KnownApi[];

interface Recorded {
  name: string;
  provider: string;
  request: Loose;
}

function recorded(api: KnownApi, answer: "accepted" | "rejected"): Recorded[] {
  const path = join(folder, api, answer);
  if (!existsSync(path)) return [];
  return readdirSync(path).map((name) => {
    // Long data was cut out of the recordings.
    const text = readFileSync(join(path, name), "utf8").replaceAll(/<cut \d+ chars>/g, "AAAA");
    const { provider, request } = JSON.parse(text) as Recorded;
    return { name, provider, request };
  });
}

/** The model of a recording, as far as the rules look at one. */
function modelOf(api: KnownApi, { name, provider, request }: Recorded): Model {
  const id = typeof request.model === "string" ? request.model : name;
  return testModel({
    api,
    provider,
    id,
    baseUrl: "https://vendor.test",
    input: /deepseek/.test(id) ? ["text"] : ["text", "image"],
  });
}

function violations(api: KnownApi, recording: Recorded): string[] {
  return requestCheckers[api](recording.request, modelOf(api, recording));
}

/** Refused for their shape, and by which rule of ours that is; the rest failed for a key, a name, a size or the answer. */
const structural: Record<KnownApi, Record<string, string>> = {
  "anthropic-messages": {
    "01": "tools",
    "02": "strict-tools",
    "03": "effort",
    "04": "tools",
    "05": "sampling",
    "06": "tools",
    "07": "strict-tools",
    "09": "strict-tools",
    "13": "strict-tools",
  },
  "google-generative-ai": { "05": "generation", "08": "roles,turns" },
  "openai-completions": {
    "01": "content",
    "02": "images",
    "04": "tool-choice",
    "05": "roles",
    "07": "images",
    "08": "sampling",
    "09": "sampling",
  },
  "openai-responses": {
    "02": "reasoning-followed",
    "03": "call-pairing",
    "06": "files",
    "08": "files",
    "09": "sampling",
    "14": "tools",
  },
};

describe.skipIf(!existsSync(folder))("recorded requests", () => {
  it.each(apis)("of %s that were accepted break no rule", (api) => {
    const chats = recorded(api, "accepted").filter(({ request }) => !isRecord(request.batch));
    expect(chats.length).toBeGreaterThan(20);
    const broken = chats.flatMap((recording) =>
      violations(api, recording).map((violation) => `${recording.name}: ${violation}`),
    );
    expect(broken).toEqual([]);
  });

  it.each(apis)("of %s that were refused for their shape break the rule that says so", (api) => {
    const found = Object.fromEntries(
      recorded(api, "rejected").flatMap((recording) => {
        const rules = violations(api, recording).map((violation) => violation.split(":")[0]);
        return rules.length > 0 ? [[recording.name.slice(0, 2), [...new Set(rules)].join()]] : [];
      }),
    );
    expect(found).toEqual(structural[api]);
  });
});
