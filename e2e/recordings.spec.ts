/** Recordings of the vendors themselves through the whole app, where they lie beside the repository. */

import type { AssistantMessage, KnownApi } from "@/lib/ai/types";
import { differences } from "@/scripts/wire-cases/expectation";
import { caseFolders, sharedFolder } from "@/scripts/wire-cases/shared-folder";
import { loadCase, type WireCase } from "@/scripts/wire-cases/wire-case";
import { Chat, storedEntries } from "./support/chat";
import { expect, test } from "./support/test";
import { vendorBody } from "./support/vendor-answers";
import { chooseApi, modelFor, useOwnEndpoint } from "./support/vendors";

interface Expected {
  text?: string;
  thinking?: string;
  toolCalls?: unknown[];
  stopReason?: string | string[];
}

const wire = sharedFolder("wire");

/** One recording of each kind: text alone, with thinking, with a tool call. */
function chooseCases(api: KnownApi): [kind: string, wireCase: WireCase][] {
  const whole = caseFolders(`${wire}/cases/${api}`)
    .map(loadCase)
    .filter(({ meta, expected }) => {
      const { stopReason } = expected as Expected;
      return meta.status === 200 && (stopReason === "stop" || stopReason === "toolUse");
    });
  const kinds: [string, (expected: Expected) => boolean][] = [
    ["text", ({ text, thinking, toolCalls }) => !!text && !thinking && !toolCalls?.length],
    ["thinking", ({ text, thinking, toolCalls }) => !!text && !!thinking && !toolCalls?.length],
    ["a tool call", ({ toolCalls }) => !!toolCalls?.length],
  ];
  return kinds.flatMap(([kind, fits]) => {
    const found = whole.find(({ expected }) => fits(expected as Expected));
    return found ? [[kind, found] as [string, WireCase]] : [];
  });
}

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern.
test("recordings beside the repository are there", ({}, info) => {
  info.skip(!wire, "The recordings are not beside this clone; our own fixtures cover every kind.");
  expect(wire).toBeTruthy();
});

for (const api of wire ? (Object.keys(modelFor) as KnownApi[]) : []) {
  test(`${api}: recorded text, thinking and tool calls arrive in IndexedDB as they should`, async ({
    page,
    vendor,
  }) => {
    const chat = new Chat(page);
    if (api === "openai-completions") await useOwnEndpoint(page, vendor);
    for (const [kind, { name, body, expected }] of chooseCases(api)) {
      await test.step(`${kind}: ${name}`, async () => {
        await chat.open();
        await chooseApi(page, api);
        const before = await storedEntries(page).catch(() => []);
        const seen = new Set(before.map(({ id }) => id));
        vendor.answer(api, { body: new Uint8Array(body), split: 97 });
        // Recorded tools are not ours: the model is told so and answers.
        vendor.handle(api, () => ({ body: vendorBody(api, { text: "The end." }) }));
        await chat.ask("What was recorded?");
        await page.reload();
        await expect(chat.answers().first()).toBeVisible();
        const fresh = (await storedEntries(page)).filter(({ id }) => !seen.has(id));
        const answer = fresh.find(({ message }) => message.role === "assistant");
        // Prices and names are those of the model that was chosen here, not of the recorded one.
        const { responseModel: _, ...comparable } = expected as Record<string, unknown>;
        expect(differences(answer?.message as unknown as AssistantMessage, comparable)).toEqual([]);
        vendor.reset();
      });
    }
  });
}
