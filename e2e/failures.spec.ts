import type { Page } from "@playwright/test";
import { json } from "@/scripts/replay-server";
import { Chat, storedEntries, storedText } from "./support/chat";
import { expect, test } from "./support/test";
import { vendorBody, vendorEvents } from "./support/vendor-answers";
import { chooseApi } from "./support/vendors";

const api = "anthropic-messages";
const good = { body: vendorBody(api, { text: "All is well again." }) };

async function openChat(page: Page): Promise<Chat> {
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, api);
  return chat;
}

/** Whatever went wrong, the next message is answered. */
async function stillUsable(chat: Chat): Promise<void> {
  await chat.ask("Once more");
  await expect(chat.answers().last()).toContainText("All is well again.");
}

test.describe("what goes wrong is told in the conversation, which stays usable", () => {
  const cases = [
    {
      name: "a wrong key",
      answer: json(401, {
        type: "error",
        error: { type: "authentication_error", message: "invalid x-api-key" },
      }),
      says: /key/i,
      offers: /settings|key/i,
    },
    {
      name: "a model that does not exist",
      answer: json(404, {
        type: "error",
        error: { type: "not_found_error", message: "model: claude-nowhere" },
      }),
      says: /model/i,
      offers: /model|retry/i,
    },
    {
      name: "an HTML error page",
      answer: {
        status: 502,
        contentType: "text/html",
        body: "<!doctype html><html><head><title>502 Bad Gateway</title></head><body><script>window.pwned = true</script>oops</body></html>",
      },
      says: /502|Bad Gateway/,
      offers: /retry/i,
      repeats: 3,
    },
    {
      name: "an HTML page with status 200",
      answer: {
        contentType: "text/html",
        body: "<html><head><title>Sign in to the network</title></head></html>",
      },
      says: /Sign in to the network/,
      offers: /retry/i,
    },
  ];
  for (const { name, answer, says, offers, repeats = 1 } of cases) {
    test(name, async ({ page, vendor }) => {
      const chat = await openChat(page);
      vendor.answer(api, ...Array.from({ length: repeats }, () => answer));
      await chat.ask("hi");
      const alert = chat.answers().last().getByRole("alert");
      await expect(alert).toContainText(says);
      await expect(
        alert.getByRole("button").or(alert.getByRole("link")).filter({ hasText: offers }).first(),
      ).toBeVisible();
      await expect(alert).not.toContainText("<");
      expect(await page.evaluate(() => "pwned" in window)).toBe(false);
      vendor.answer(api, good);
      await stillUsable(chat);
      const roles = (await storedEntries(page)).map((entry) => entry.message.role);
      expect(roles).toEqual(["user", "assistant", "user", "assistant"]);
    });
  }

  test("429 with Retry-After is waited for, and then answered", async ({ page, vendor }) => {
    const chat = await openChat(page);
    vendor.answer(
      api,
      json(
        429,
        { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
        { "retry-after": "1" },
      ),
      good,
    );
    await chat.ask("hi");
    await expect(chat.answers().last()).toContainText("All is well again.");
    expect(vendor.requests).toHaveLength(2);
  });

  test("429 that asks for an hour is told at once, with a Retry", async ({ page, vendor }) => {
    const chat = await openChat(page);
    vendor.answer(
      api,
      json(
        429,
        { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
        { "retry-after": "3600" },
      ),
    );
    await chat.ask("hi");
    const alert = chat.answers().last().getByRole("alert");
    await expect(alert).toContainText(/slow down/);
    expect(vendor.requests).toHaveLength(1);
    vendor.answer(api, good);
    await alert.getByRole("button", { name: /retry/i }).click();
    await expect(chat.answers().last()).toContainText("All is well again.");
    await expect(chat.answers()).toHaveCount(1);
    // The failed answer is still in the tree.
    expect(await storedEntries(page)).toHaveLength(3);
  });

  test("a body cut in the middle keeps what had arrived, as an error", async ({ page, vendor }) => {
    const chat = await openChat(page);
    const events = vendorEvents(api, { text: "This half arrived, and this one did not." });
    vendor.answer(api, { body: events.slice(0, 5).join(""), ending: "cut" });
    await chat.ask("hi");
    await expect(chat.answers().last()).toContainText("This half arriv");
    await expect(chat.answers().last().getByRole("alert")).toBeVisible();
    const [, failed] = await storedEntries(page);
    expect(failed?.message.stopReason).toBe("error");
    expect(storedText(failed)).toBe("This half arrived, an".slice(0, storedText(failed).length));
    expect(storedText(failed).length).toBeGreaterThan(0);
    vendor.answer(api, good);
    await stillUsable(chat);
    // A half answer is never sent back as a whole one.
    expect(JSON.stringify(vendor.requests.at(-1)?.body)).not.toContain("This half");
  });

  test("a stream that ends without its last event is an error", async ({ page, vendor }) => {
    const chat = await openChat(page);
    const events = vendorEvents(api, { text: "Looks whole." });
    vendor.answer(api, { body: events.slice(0, -2).join("") });
    await chat.ask("hi");
    await expect(chat.answers().last()).toContainText("Looks whole.");
    await expect(chat.answers().last().getByRole("alert")).toBeVisible();
    expect((await storedEntries(page))[1]?.message.stopReason).toBe("error");
  });

  test("a tool that is not there, and arguments that break the schema, go back to the model", async ({
    page,
    vendor,
  }) => {
    const chat = await openChat(page);
    vendor.answer(
      api,
      {
        body: vendorBody(api, {
          id: "t1",
          calls: [
            { id: "call_1", name: "launch_rocket", arguments: {} },
            { id: "call_2", name: "calculate", arguments: { formula: "1 + 1" } },
          ],
        }),
      },
      good,
    );
    await chat.ask("hi");
    await expect(chat.log.locator('[data-tool-call-id="call_1"]')).toHaveAttribute(
      "data-state",
      "error",
    );
    await expect(chat.log.locator('[data-tool-call-id="call_2"]')).toHaveAttribute(
      "data-state",
      "error",
    );
    await expect(chat.answers().last()).toContainText("All is well again.");
    const second = JSON.stringify(vendor.requests[1]?.body);
    expect(second).toContain("launch_rocket");
    expect(second).toContain("expression");
    expect(second).toContain('"is_error":true');
  });
});

test("a host that cannot be reached is told with what to do", async ({ page }) => {
  await page.goto("/settings");
  const provider = page.getByRole("group", { name: "DeepSeek" });
  await provider.getByRole("textbox", { name: "API key" }).fill("own-key-for-deepseek");
  // Port 9 answers nobody.
  await provider.getByRole("textbox", { name: "Base URL" }).fill("http://127.0.0.1:9/v1");
  await provider.getByRole("button", { name: "Save" }).click();
  await provider.getByRole("button", { name: "Remove" }).waitFor();
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, "openai-completions");
  await chat.ask("hi");
  const alert = chat.answers().last().getByRole("alert");
  await expect(alert).toContainText(/reach|connect/i);
  await expect(alert.getByRole("button", { name: /retry/i })).toBeVisible();
});

test("a POST with bad JSON, a wrong field or too much of it is refused, and no run starts", async ({
  request,
}) => {
  const headers = { "content-type": "application/json" };
  const bad = await request.post("/api/runs", { headers, data: Buffer.from("{not json") });
  expect(bad.status()).toBe(400);
  expect((await bad.json()).error).toMatchObject({
    code: expect.any(String),
    message: expect.any(String),
  });

  const runId = "11111111-1111-4111-8111-111111111111";
  const wrong = await request.post("/api/runs", {
    headers,
    data: { runId, model: { provider: "demo", id: "demo" }, context: { messages: "hello" } },
  });
  expect(wrong.status()).toBe(400);
  expect((await wrong.json()).error.field).toBe("context.messages");
  expect((await request.get(`/api/runs/${runId}/events`)).status()).toBe(404);

  const huge = await request.post("/api/runs", {
    headers,
    data: Buffer.from(`{"runId":"${"x".repeat(70 * 1024 * 1024)}"}`),
  });
  expect(huge.status()).toBe(413);
});
