import { Chat, storedEntries } from "./support/chat";
import { expect, test } from "./support/test";
import { vendorBody } from "./support/vendor-answers";
import { chooseApi, useOwnEndpoint } from "./support/vendors";

interface Block {
  [key: string]: unknown;
}
interface Body {
  input?: Block[];
  messages?: { role: string; content: unknown; tool_calls?: Block[]; tool_call_id?: string }[];
  contents?: { role: string; parts: Block[] }[];
}

/** The opaque marks of each vendor; they may go back to the vendor that made them, and to no other. */
const marks = {
  "openai-responses": "bWFyay1vcGVuYWk=",
  "anthropic-messages": "bWFyay1hbnRocm9waWM=",
  "google-generative-ai": "bWFyay1nb29nbGU=",
};

test("one conversation goes through all four APIs: calls and results are translated, foreign signatures are not sent", async ({
  page,
  vendor,
}) => {
  const chat = new Chat(page);
  await useOwnEndpoint(page, vendor);
  await chat.open();

  // Turn 1: Responses calls a tool and answers.
  await chooseApi(page, "openai-responses");
  await chat.chooseThinking(/high/i);
  vendor.answer(
    "openai-responses",
    {
      body: vendorBody("openai-responses", {
        id: "r1",
        thinking: "Thought of the first vendor.",
        signature: marks["openai-responses"],
        calls: [{ id: "call_r1", name: "calculate", arguments: { expression: "1 + 1" } }],
      }),
    },
    { body: vendorBody("openai-responses", { id: "r2", text: "First: two." }) },
  );
  await chat.ask("One and one?");
  const own = vendor.requests.at(-1)?.body as Body;
  expect(JSON.stringify(own.input)).toContain(marks["openai-responses"]);

  // Turn 2: Anthropic.
  await chooseApi(page, "anthropic-messages");
  vendor.answer(
    "anthropic-messages",
    {
      body: vendorBody("anthropic-messages", {
        id: "a1",
        thinking: "Thought of the second vendor.",
        signature: marks["anthropic-messages"],
        calls: [{ id: "toolu_a1", name: "calculate", arguments: { expression: "2 + 2" } }],
      }),
    },
    { body: vendorBody("anthropic-messages", { id: "a2", text: "Second: four." }) },
  );
  await chat.ask("Two and two?");
  const anthropic = vendor.requests.at(-2)?.body as Body;
  expect(anthropic.messages?.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  expect(anthropic.messages?.[1]?.content).toMatchObject([
    {
      type: "tool_use",
      id: "call_r1_fc_call_r1",
      name: "calculate",
      input: { expression: "1 + 1" },
    },
  ]);
  expect(anthropic.messages?.[2]?.content).toMatchObject([
    { type: "tool_result", tool_use_id: "call_r1_fc_call_r1" },
  ]);
  expect(JSON.stringify(anthropic)).not.toContain(marks["openai-responses"]);
  expect(JSON.stringify(anthropic)).not.toContain("Thought of the first vendor");
  const anthropicAgain = JSON.stringify(vendor.requests.at(-1)?.body);
  expect(anthropicAgain).toContain(marks["anthropic-messages"]);

  // Turn 3: Google.
  await chooseApi(page, "google-generative-ai");
  vendor.answer(
    "google-generative-ai",
    {
      body: vendorBody("google-generative-ai", {
        id: "g1",
        thinking: "Thought of the third vendor.",
        signature: marks["google-generative-ai"],
        calls: [{ id: "g_call", name: "calculate", arguments: { expression: "3 + 3" } }],
      }),
    },
    { body: vendorBody("google-generative-ai", { id: "g2", text: "Third: six." }) },
  );
  await chat.ask("Three and three?");
  const google = vendor.requests.at(-2)?.body as Body;
  const parts = google.contents?.flatMap((content) => content.parts) ?? [];
  expect(parts.filter((part) => part.functionCall)).toMatchObject([
    { functionCall: { name: "calculate", args: { expression: "1 + 1" } } },
    { functionCall: { name: "calculate", args: { expression: "2 + 2" } } },
  ]);
  expect(parts.filter((part) => part.functionResponse)).toHaveLength(2);
  for (const mark of [marks["openai-responses"], marks["anthropic-messages"]]) {
    expect(JSON.stringify(google)).not.toContain(mark);
  }
  expect(JSON.stringify(vendor.requests.at(-1)?.body)).toContain(marks["google-generative-ai"]);

  // Turn 4: Chat Completions.
  await chooseApi(page, "openai-completions");
  vendor.answer("openai-completions", {
    body: vendorBody("openai-completions", { id: "c1", text: "Fourth: done." }),
  });
  await chat.ask("And now?");
  const completions = vendor.requests.at(-1)?.body as Body;
  const messages = completions.messages ?? [];
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const results = messages.filter((message) => message.role === "tool");
  expect(calls.map((call) => (call.function as Block).arguments)).toEqual([
    '{"expression":"1 + 1"}',
    '{"expression":"2 + 2"}',
    '{"expression":"3 + 3"}',
  ]);
  expect(results.map((result) => result.tool_call_id)).toEqual(calls.map((call) => call.id));
  for (const mark of Object.values(marks)) {
    expect(JSON.stringify(completions)).not.toContain(mark);
  }
  expect(JSON.stringify(completions)).not.toContain("Thought of the");

  // Turn 5: back to the first vendor, which gets its own mark again, and nobody else's.
  await chooseApi(page, "openai-responses");
  vendor.answer("openai-responses", {
    body: vendorBody("openai-responses", { id: "r3", text: "Fifth: home again." }),
  });
  await chat.ask("Back home?");
  const home = JSON.stringify(vendor.requests.at(-1)?.body);
  expect(home).toContain(marks["openai-responses"]);
  expect(home).not.toContain(marks["anthropic-messages"]);
  expect(home).not.toContain(marks["google-generative-ai"]);

  const stored = await storedEntries(page);
  expect(
    stored.filter(({ message }) => message.role === "assistant").map(({ message }) => message.api),
  ).toEqual([
    "openai-responses",
    "openai-responses",
    "anthropic-messages",
    "anthropic-messages",
    "google-generative-ai",
    "google-generative-ai",
    "openai-completions",
    "openai-responses",
  ]);
});
