import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const sdks = ["openai", "@anthropic-ai/sdk", "@google/genai"];
const fileUrl = (path: string): string => pathToFileURL(resolve(path)).href;

/** Tells on stdout what a process loads. */
const watcher = `
  import { writeSync } from "node:fs";
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    writeSync(1, found.url + "\\n");
    return found;
  }`;

/** The vendor SDKs that a fresh process loads which runs this code. */
function sdksLoadedBy(code: string): string[] {
  const program = `
    import { register } from "node:module";
    register("data:text/javascript," + encodeURIComponent(${JSON.stringify(watcher)}));
    const { createModels } = await import("${fileUrl("lib/ai/models.ts")}");
    const { builtinProviders } = await import("${fileUrl("lib/ai/providers/all.ts")}");
    const models = createModels({ providers: builtinProviders(), env: {} });
    ${code}`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--import", fileUrl("node_modules/tsx/dist/loader.mjs"), "--input-type=module", "-e", program],
    { encoding: "utf8" },
  );
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toContain("lib/ai/apis/index.ts");
  return sdks.filter((name) => stdout.includes(`/node_modules/${name}/`));
}

describe("what the layer loads", { timeout: 60_000 }, () => {
  it("is no vendor's SDK with all providers at hand and their models listed", () => {
    expect(sdksLoadedBy("if (models.getModels().length === 0) process.exit(3);")).toEqual([]);
  });

  it("is the SDK of its api alone with a request", () => {
    const request = `
      const model = models.getModels().find(({ api }) => api === "anthropic-messages");
      const fetch = () => Promise.reject(new Error("nothing leaves"));
      await models.completeSimple(model, { messages: [] }, { apiKey: "none", fetch, maxRetries: 0 });`;
    expect(sdksLoadedBy(request)).toEqual(["@anthropic-ai/sdk"]);
  });
});
