import AxeBuilder from "@axe-core/playwright";
import { Chat } from "./support/chat";
import { expect, test } from "./support/test";

const themes = ["light", "dark"] as const;

for (const colorScheme of themes) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("the conversation page and its dialogs pass axe", async ({ page }) => {
      const violations = async (): Promise<string[]> =>
        (await new AxeBuilder({ page }).analyze()).violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(", ")}`,
        );
      const chat = new Chat(page);
      await chat.open();
      expect(await violations()).toEqual([]);
      await chat.ask("Show me markdown");
      await chat.ask("12.5% of 840, and the time in Tokyo now");
      await chat.ask("please fail");
      expect(await violations()).toEqual([]);
      await page.getByRole("button", { name: /^Model: / }).click();
      // A few of the many models look like all of them, and are looked at a hundred times faster.
      await page.getByRole("searchbox", { name: "Search models" }).fill("haiku");
      await expect(page.getByRole("option").first()).toContainText("Haiku");
      expect(await violations()).toEqual([]);
      await page.keyboard.press("Escape");
      await page.goto("/settings");
      await expect(page.getByRole("tab", { name: "Providers" })).toBeVisible();
      await expect(page.getByRole("group", { name: "OpenAI", exact: true })).toBeVisible();
      expect(await violations()).toEqual([]);
    });
  });
}
