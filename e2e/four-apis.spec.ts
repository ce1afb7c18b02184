import type { KnownApi } from "@/lib/ai/types";
import type { ReplayServer } from "@/scripts/replay-server";
import { Chat, type StoredEntry, storedEntries, storedText } from "./support/chat";
import { expect, test } from "./support/test";
import { vendorBody } from "./support/vendor-answers";
import { chooseApi, modelFor, useOwnEndpoint } from "./support/vendors";

const apis = Object.keys(modelFor) as KnownApi[];

/** A turn that thinks and calls the calculator, and the one that answers with its result. */
function scriptTwoTurns(vendor: ReplayServer, api: KnownApi): void {
  vendor.answer(
    api,
    {
      body: vendorBody(api, {
        id: "turn-1",
        thinking: "A percentage: the calculator knows it exactly.",
        signature: "c2lnbmF0dXJl",
        text: "Let me calculate – 计算一下.",
        calls: [{ id: "call_a1", name: "calculate", arguments: { expression: "0.125 * 840" } }],
      }),
      split: 11,
    },
    { body: vendorBody(api, { id: "turn-2", text: "It is **105**, and that is exact." }) },
  );
}

const blockTypes = (entry: StoredEntry | undefined): string[] =>
  Array.isArray(entry?.message.content) ? entry.message.content.map((block) => block.type) : [];

for (const api of apis) {
  test(`${api}: thinking, text, a tool call that is run and answered, all there after a reload`, async ({
    page,
    vendor,
  }) => {
    const chat = new Chat(page);
    if (api === "openai-completions") await useOwnEndpoint(page, vendor);
    await chat.open();
    await chooseApi(page, api);
    await chat.chooseThinking(/high/i);
    scriptTwoTurns(vendor, api);
    await chat.ask("What is 12.5% of 840?");

    const seen = async (): Promise<void> => {
      await expect(chat.log.getByRole("button", { name: /^Thinking/ })).toBeVisible();
      await expect(chat.toolCall(/^Tool call: /)).toHaveAttribute("data-state", "done");
      await expect(chat.answers().first()).toContainText("Let me calculate – 计算一下.");
      await expect(chat.answers().last()).toContainText("It is 105, and that is exact.");
    };
    await seen();

    const stored = await storedEntries(page);
    expect(stored.map((entry) => entry.message.role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    expect(blockTypes(stored[1])).toEqual(["thinking", "text", "toolCall"]);
    expect(stored[1]?.message).toMatchObject({
      api,
      provider: modelFor[api].provider,
      model: modelFor[api].id,
      stopReason: "toolUse",
    });
    expect(JSON.stringify(stored[2]?.message.content)).toContain("105");
    expect(storedText(stored[3])).toBe("It is **105**, and that is exact.");

    // The second request carries the call and its result, in the vendor's own form.
    expect(vendor.requests.map((request) => request.api)).toEqual([api, api]);
    const second = JSON.stringify(vendor.requests[1]?.body);
    expect(second).toContain("0.125 * 840");
    expect(second).toContain('"105"');

    await page.reload();
    await seen();
    expect(await storedEntries(page)).toEqual(stored);
  });
}

test("a server's key goes into the request's header, and nowhere that the browser sees", async ({
  page,
  vendor,
  app,
}) => {
  const seen: string[] = [];
  page.on("response", async (response) => {
    seen.push(JSON.stringify(response.headers()), await response.text().catch(() => ""));
  });
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, "anthropic-messages");
  vendor.answer("anthropic-messages", {
    body: vendorBody("anthropic-messages", { text: "Hello." }),
  });
  await chat.ask("hi");
  expect(vendor.requests[0]?.headers["x-api-key"]).toBe("server-key-0123456789");
  expect(seen.join("\n")).not.toContain("server-key-0123456789");
  expect(app.output()).not.toContain("server-key-0123456789");
});
