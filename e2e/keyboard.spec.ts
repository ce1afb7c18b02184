import { Chat } from "./support/chat";
import { expect, test } from "./support/test";

test("a conversation by keyboard alone", async ({ page }) => {
  const chat = new Chat(page);
  await chat.open();
  await expect(chat.composer).toBeFocused();
  await page.keyboard.type("first line");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("hello");
  await expect(chat.composer).toHaveValue("first line\nhello");
  await page.keyboard.press("Enter");
  await chat.finished();
  await expect(chat.answers()).toHaveCount(1);
  await expect(chat.composer).toHaveValue("");

  await page.keyboard.press("Control+Shift+O");
  await expect(chat.log.getByRole("article")).toHaveCount(0);

  await page.keyboard.press("Control+K");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await expect(palette).toBeVisible();
  await page.keyboard.type("first line");
  await page.keyboard.press("Enter");
  await expect(palette).toBeHidden();
  await expect(chat.answers()).toHaveCount(1);
});

test("an input method's Enter does not send", async ({ page, context }) => {
  const chat = new Chat(page);
  await chat.open();
  await chat.composer.focus();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Input.imeSetComposition", {
    text: "你好",
    selectionStart: 2,
    selectionEnd: 2,
  });
  await page.keyboard.press("Enter");
  await expect(chat.log.getByRole("article")).toHaveCount(0);
  await expect(chat.composer).toHaveValue(/^你好/);
});

test("a draft survives a reload, each conversation its own", async ({ page }) => {
  const chat = new Chat(page);
  await chat.open();
  await chat.ask("hello");
  await chat.composer.fill("for the old one");
  await page.getByRole("button", { name: "New chat" }).first().click();
  await expect(chat.composer).toHaveValue("");
  await chat.composer.fill("for a new one");
  await expect
    .poll(() => page.evaluate(() => indexedDB.databases().then((all) => all.length)))
    .toBe(1);
  // Leaving the page stores what was typed.
  await page.reload();
  await expect(chat.composer).toHaveValue("for a new one");
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
  await expect(chat.composer).toHaveValue("for the old one");
});
