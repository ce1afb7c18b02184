import type { Page } from "@playwright/test";
import type { ReplayServer } from "@/scripts/replay-server";
import { Chat } from "./support/chat";
import { expect, test } from "./support/test";
import { vendorBody } from "./support/vendor-answers";
import { chooseApi } from "./support/vendors";

const api = "anthropic-messages";
const pixel = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");

async function answerWith(page: Page, vendor: ReplayServer, text: string): Promise<Chat> {
  vendor.answer(api, { body: vendorBody(api, { text }) });
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, api);
  await chat.ask("Show me");
  return chat;
}

test("code is coloured beside the page, and can be wrapped and saved", async ({ page, vendor }) => {
  const workers: string[] = [];
  page.on("worker", (worker) => workers.push(worker.url()));
  const chat = await answerWith(page, vendor, "```ts\nconst answer: number = 42;\n```");
  const code = chat.answers().last().locator("figure");
  await expect(code.locator(".token-keyword").first()).toHaveText("const");
  await expect(code.locator("pre")).toHaveText("const answer: number = 42;");
  expect(workers).toHaveLength(1);

  await code.getByRole("button", { name: "Wrap lines" }).click();
  await expect(code.locator("pre")).toHaveCSS("white-space", "pre-wrap");
  const saving = page.waitForEvent("download");
  await code.getByRole("button", { name: "Download code" }).click();
  expect((await saving).suggestedFilename()).toBe("code.ts");
});

test("a remote image is asked for once a person wants it, and of our own server only", async ({
  page,
  vendor,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const image = "https://pics.example/cat.gif?d=secret";
  const chat = await answerWith(
    page,
    vendor,
    `![a cat](${image}) and ![b](http://127.0.0.1/b.png)`,
  );
  const answer = chat.answers().last();
  await expect(answer.getByRole("button", { name: /Show image from pics\.example/ })).toBeVisible();
  expect(asked.filter((url) => url.includes("/api/images") || url.includes("pics."))).toEqual([]);

  await page.route("**/api/images?*", (route) =>
    route.request().url().includes("pics.example")
      ? route.fulfill({ contentType: "image/gif", body: pixel })
      : route.continue(),
  );
  await answer.getByRole("button", { name: /Show image from pics\.example/ }).click();
  const shown = answer.getByRole("img", { name: "a cat" });
  await expect(shown).toHaveJSProperty("naturalWidth", 1);
  await expect(shown).toHaveAttribute("src", `/api/images?url=${encodeURIComponent(image)}`);

  await answer.getByRole("button", { name: /Show image from 127\.0\.0\.1/ }).click();
  await expect(answer.getByText("The image could not be shown.")).toBeVisible();
  await expect(answer.getByRole("link", { name: "Open it at 127.0.0.1" })).toBeVisible();
  const hosts = new Set(asked.map((url) => new URL(url).host));
  expect([...hosts]).toEqual([new URL(page.url()).host]);
});
