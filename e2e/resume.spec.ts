import { Gate } from "@/scripts/replay-server";
import { Chat, storedEntries, storedText } from "./support/chat";
import { expect, test } from "./support/test";
import { vendorEvents } from "./support/vendor-answers";
import { chooseApi } from "./support/vendors";

const sentence = (index: number): string => `Sentence ${index} – 第${index}句 🌊.`;
const whole = Array.from({ length: 60 }, (_, index) => sentence(index)).join(" ");
const events = vendorEvents("anthropic-messages", { text: whole });
const third = Math.floor(events.length / 3);

test("a reload in the middle of an answer loses and doubles no character", async ({
  page,
  vendor,
}) => {
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, "anthropic-messages");
  const first = new Gate();
  const second = new Gate();
  vendor.answer("anthropic-messages", {
    body: [
      ...events.slice(0, third),
      first,
      ...events.slice(third, 2 * third),
      second,
      ...events.slice(2 * third),
    ],
  });
  await chat.send("Tell me a lot");
  await first.reached;
  await expect(chat.answers().last()).toContainText(sentence(3));
  await page.reload();
  await expect(chat.answers().last()).toContainText(sentence(3));
  await expect(chat.log).toHaveAttribute("aria-busy", "true");
  first.open();
  await second.reached;
  await expect(chat.answers().last()).toContainText(sentence(25));
  await page.reload();
  second.open();
  await chat.finished();
  await expect(chat.answers()).toHaveCount(1);
  await expect(chat.answers().last()).toContainText(sentence(59));
  const stored = await storedEntries(page);
  expect(stored).toHaveLength(2);
  expect(storedText(stored[1])).toBe(whole);
  expect(vendor.requests).toHaveLength(1);
});

test("the run goes on while the page is closed", async ({ page, context, vendor }) => {
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, "anthropic-messages");
  const gate = new Gate();
  vendor.answer("anthropic-messages", {
    body: [...events.slice(0, third), gate, ...events.slice(third)],
  });
  await chat.send("Tell me a lot");
  await gate.reached;
  await expect(chat.answers().last()).toContainText(sentence(3));
  const address = page.url();
  await page.close();
  gate.open();
  expect(await vendor.requests[0]?.ended).toBe("answered");
  const again = new Chat(await context.newPage());
  await again.open(address);
  await again.finished();
  await expect(again.answers().last()).toContainText(sentence(59));
  expect(storedText((await storedEntries(again.page))[1])).toBe(whole);
});

test("a cut connection heals by itself: no character is missing or doubled", async ({
  page,
  context,
  vendor,
}) => {
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, "anthropic-messages");
  const gate = new Gate();
  vendor.answer("anthropic-messages", {
    body: [...events.slice(0, third), gate, ...events.slice(third)],
  });
  await chat.send("Tell me a lot");
  await gate.reached;
  await expect(chat.answers().last()).toContainText(sentence(3));
  // What the page has open breaks; the server goes on.
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: true,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  gate.open();
  expect(await vendor.requests[0]?.ended).toBe("answered");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await chat.finished();
  await expect(chat.answers().last()).toContainText(sentence(59));
  expect(storedText((await storedEntries(page))[1])).toBe(whole);
});

test("Stop closes the vendor's connection and keeps the partial answer", async ({
  page,
  vendor,
}) => {
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, "anthropic-messages");
  const never = new Gate();
  vendor.answer("anthropic-messages", { body: [...events.slice(0, third), never] });
  await chat.send("Tell me a lot");
  await never.reached;
  await expect(chat.answers().last()).toContainText(sentence(3));
  await chat.stopButton.click();
  expect(await vendor.requests[0]?.ended).toBe("client-closed");
  await chat.finished();
  const [, stopped] = await storedEntries(page);
  expect(stopped?.message.stopReason).toBe("aborted");
  expect(whole.startsWith(storedText(stopped))).toBe(true);
  expect(storedText(stopped)).toContain(sentence(3));
  await page.reload();
  await expect(chat.answers().last()).toContainText(sentence(3));
});

test("Stop after a reload closes the vendor's connection too", async ({ page, vendor }) => {
  const chat = new Chat(page);
  await chat.open();
  await chooseApi(page, "anthropic-messages");
  const never = new Gate();
  vendor.answer("anthropic-messages", { body: [...events.slice(0, third), never] });
  await chat.send("Tell me a lot");
  await never.reached;
  await expect(chat.answers().last()).toContainText(sentence(3));
  await page.reload();
  await chat.stopButton.click();
  expect(await vendor.requests[0]?.ended).toBe("client-closed");
  await chat.finished();
  expect((await storedEntries(page))[1]?.message.stopReason).toBe("aborted");
});
