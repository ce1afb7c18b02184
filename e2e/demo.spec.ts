import { Chat, storedEntries, storedText } from "./support/chat";
import { expect, test } from "./support/test";

test("the demo thinks, calls a tool and answers, live; a reload shows all of it in order", async ({
  page,
}) => {
  const chat = new Chat(page);
  await chat.open();
  await expect(page.getByRole("button", { name: /^Model: Rill Demo/ })).toBeVisible();
  await chat.chooseThinking(/medium/i);
  await chat.send("What time is it in Tokyo, and what is 12.5% of 840?");

  await expect(chat.stopButton).toBeVisible();
  await expect(chat.log).toHaveAttribute("aria-busy", "true");
  await chat.finished();

  const seen = async (): Promise<void> => {
    await expect(chat.log.locator('article[data-role="user"]')).toHaveText(/12\.5% of 840/);
    await expect(chat.log.getByRole("button", { name: /^Thinking/ }).first()).toBeVisible();
    await expect(chat.log.getByRole("group", { name: /^Tool call: / })).toHaveCount(2);
    await expect(chat.log.locator('[data-tool-call-id][data-state="done"]')).toHaveCount(2);
    await expect(chat.answers().last()).toContainText("105");
    await expect(chat.answers().last()).toContainText("Asia/Tokyo");
  };
  await seen();
  await expect(page).toHaveURL(/\/c\/[\w-]+$/);

  const before = await storedEntries(page);
  expect(before.map((entry) => entry.message.role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "toolResult",
    "assistant",
  ]);
  expect(before[1]?.message.stopReason).toBe("toolUse");
  expect(before[4]?.message.stopReason).toBe("stop");
  expect(storedText(before[4])).toContain("add an API key");

  await page.reload();
  await seen();
  expect(await storedEntries(page)).toEqual(before);
});

test("the address turns into the conversation's own without a reload", async ({ page }) => {
  const chat = new Chat(page);
  await chat.open();
  await page.evaluate(() => {
    Object.assign(window, { notReloaded: true });
  });
  await chat.ask("hello");
  await expect(page).toHaveURL(/\/c\/[\w-]+$/);
  expect(await page.evaluate(() => "notReloaded" in window)).toBe(true);
  const list = page.getByRole("navigation", { name: "Conversations" });
  await expect(list.getByRole("link", { name: "hello" })).toHaveAttribute("aria-current", "page");

  await page.getByRole("button", { name: "New chat" }).click();
  await expect(chat.log.getByRole("article")).toHaveCount(0);
  await list.getByRole("link", { name: "hello" }).click();
  await expect(chat.answers()).toHaveCount(1);
});

test("Stop ends an answer and keeps its part; the conversation goes on", async ({ page }) => {
  const chat = new Chat(page);
  await chat.open();
  await chat.chooseModel("slow", /^Rill Demo Slow/);
  await chat.send("a long answer please");
  await expect(chat.answers().last()).toContainText("How an answer reaches you");
  await chat.composer.press("Escape");
  await chat.finished();
  const [, stopped] = await storedEntries(page);
  expect(stopped?.message.stopReason).toBe("aborted");
  expect(storedText(stopped)).toContain("How an answer reaches you");
  expect(storedText(stopped).length).toBeLessThan(3000);
  await chat.ask("12.5% of 840");
  await expect(chat.answers().last()).toContainText("105");
});

test("a tool that is switched off is not offered", async ({ page }) => {
  const chat = new Chat(page);
  await chat.open();
  await page.getByRole("button", { name: "Tools", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: /calculat/i }).click();
  await page.keyboard.press("Escape");
  await chat.ask("12.5% of 840");
  await expect(chat.answers().last()).toContainText("switched off");
  await expect(chat.log.getByRole("group", { name: /^Tool call/ })).toHaveCount(0);
});
