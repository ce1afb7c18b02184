import { Chat, storedEntries } from "./support/chat";
import { expect, test } from "./support/test";

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("a picture stays with the conversation that it was attached in", async ({ page }) => {
  const chat = new Chat(page);
  await chat.open();
  await chat.ask("hello A");
  await page.getByRole("button", { name: "New chat" }).first().click();
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "p.png", mimeType: "image/png", buffer: picture });
  await expect(page.getByRole("button", { name: /Remove/ })).toBeVisible();
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
  await expect(chat.answers()).toHaveCount(1);
  await expect(page.getByRole("button", { name: /Remove/ })).toHaveCount(0);
  await chat.ask("to A");
  const users = (await storedEntries(page)).filter(({ message }) => message.role === "user");
  expect(users.map(({ message }) => message.content)).toEqual(["hello A", "to A"]);
  await page.getByRole("button", { name: "New chat" }).first().click();
  await expect(page.getByRole("button", { name: /Remove/ })).toBeVisible();
});
