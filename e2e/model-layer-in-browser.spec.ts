/** The model layer runs in a page as it does on a server; the app's own pages never load a vendor's SDK. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import type { AssistantMessage, KnownApi } from "@/lib/ai/types";
import type { answerOf as answer } from "./support/model-layer";
import { expect, test } from "./support/test";
import { vendorBody } from "./support/vendor-answers";

const apis: KnownApi[] = [
  "openai-responses",
  "openai-completions",
  "anthropic-messages",
  "google-generative-ai",
];

async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, "support/model-layer.ts"), formats: ["es"] },
      rollupOptions: { output: { inlineDynamicImports: true } },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  if (!first || !("output" in first)) throw new Error("nothing was bundled");
  return first.output[0].code;
}

test("all four adapters answer in a page", async ({ page }) => {
  const code = await bundle();
  await page.route("http://page.test/**", (route) =>
    route.request().url().endsWith("/layer.js")
      ? route.fulfill({ contentType: "text/javascript", body: code })
      : route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Layer</title>" }),
  );
  for (const api of apis) {
    await page.route(`http://${api}.test/**`, (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        headers: { "access-control-allow-origin": "*", "access-control-allow-headers": "*" },
        body:
          route.request().method() === "OPTIONS"
            ? ""
            : vendorBody(api, {
                thinking: "In a page.",
                text: `Hello from ${api}.`,
                calls: [{ id: "call_1", name: "add", arguments: { a: 1 } }],
              }),
      }),
    );
  }
  await page.goto("http://page.test/");
  const messages = await page.evaluate(async (names) => {
    const { answerOf } = (await import(
      // @ts-expect-error: served by this test
      "http://page.test/layer.js"
    )) as { answerOf: typeof answer };
    return Promise.all(names.map((name) => answerOf(name, `http://${name}.test`)));
  }, apis);
  expect(
    messages.map((message: AssistantMessage) => [
      message.api,
      message.stopReason,
      message.errorMessage,
    ]),
  ).toEqual(apis.map((api) => [api, "toolUse", undefined]));
  for (const message of messages) {
    expect(message.content).toMatchObject([
      { type: "thinking", thinking: "In a page." },
      { type: "text", text: `Hello from ${message.api}.` },
      { type: "toolCall", name: "add", arguments: { a: 1 } },
    ]);
  }
});

test("no vendor's SDK is in what the app's pages load", () => {
  const folder = ".next/static";
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js"),
  );
  expect(files.length).toBeGreaterThan(3);
  const guilty = files.filter((name) =>
    /dangerouslyAllowBrowser|x-stainless|x-goog-api-client/i.test(
      readFileSync(join(folder, name), "utf8"),
    ),
  );
  expect(guilty).toEqual([]);
});
