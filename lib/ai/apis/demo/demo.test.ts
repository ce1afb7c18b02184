import { describe, expect, it } from "vitest";
import { createModels } from "../../models.ts";
import { demoProvider } from "../../providers/demo.ts";
import type { AssistantMessage, Message, SimpleStreamOptions } from "../../types.ts";
import { expressionIn } from "./arithmetic.ts";
import { pieces } from "./pace.ts";
import { timeZonesIn } from "./places.ts";

const models = createModels({ providers: [demoProvider()], env: { RILL_DEMO_SPEED: "10000" } });
const tools = ["calculate", "get_current_time"].map((name) => ({
  name,
  description: name,
  parameters: { type: "object" },
}));

async function ask(
  messages: (Message | string)[],
  options: SimpleStreamOptions = {},
  offered = tools,
): Promise<AssistantMessage> {
  const model = models.getModel("demo", "demo");
  if (!model) throw new Error("no demo model");
  const context = {
    messages: messages.map(
      (message): Message =>
        typeof message === "string" ? { role: "user", content: message, timestamp: 1 } : message,
    ),
    tools: offered,
  };
  return models.streamSimple(model, context, { maxRetries: 0, ...options }).result();
}

const calls = (message: AssistantMessage) =>
  message.content.flatMap((block) =>
    block.type === "toolCall" ? [[block.name, block.arguments]] : [],
  );
const text = (message: AssistantMessage) =>
  message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");

describe("demo provider", () => {
  it("calls the clock for a city, thinking first when asked to", async () => {
    const message = await ask(["What time is it in Tokyo?"], { reasoning: "low" });
    expect(message.content.map((block) => block.type)).toEqual(["thinking", "text", "toolCall"]);
    expect(calls(message)).toEqual([["get_current_time", { timeZone: "Asia/Tokyo" }]]);
    expect(message.stopReason).toBe("toolUse");
  });

  it("does not think when thinking is off", async () => {
    const message = await ask(["12.5% of 840"]);
    expect(message.content.map((block) => block.type)).toEqual(["text", "toolCall"]);
    expect(calls(message)).toEqual([["calculate", { expression: "12.5 / 100 * 840" }]]);
  });

  it("calls two tools at once for two questions", async () => {
    const message = await ask(["12.5% of 840 and the time in São Paulo and in Berlin, now"]);
    expect(calls(message)).toEqual([
      ["calculate", { expression: "12.5 / 100 * 840" }],
      ["get_current_time", { timeZone: "Europe/Berlin" }],
    ]);
  });

  it("answers with the results, and says how to add a key in the first answer only", async () => {
    const asked = await ask(["12.5% of 840"]);
    const call = asked.content.find((block) => block.type === "toolCall");
    if (call?.type !== "toolCall") throw new Error("no call");
    const result: Message = {
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: "text", text: "105" }],
      isError: false,
      timestamp: 2,
    };
    const first = await ask(["12.5% of 840", asked, result]);
    expect(text(first)).toContain("> **12.5 / 100 × 840** → 105");
    expect(text(first)).toContain("add an API key");
    expect(first.stopReason).toBe("stop");
    const second = await ask(["12.5% of 840", asked, result, first, "hello"]);
    expect(text(second)).not.toContain("add an API key");
  });

  it("shows code, a table and a formula", async () => {
    const answer = text(await ask(["show me markdown"]));
    expect(answer).toContain("```ts\n");
    expect(answer).toContain("| --- | --- |");
    expect(answer).toContain("$$\\sum_");
  });

  it("says so when the tool is switched off", async () => {
    const message = await ask(["12.5% of 840"], {}, []);
    expect(calls(message)).toEqual([]);
    expect(text(message)).toContain("switched off");
  });

  it("fails as asked: in the middle, cut, refused", async () => {
    const broken = await ask(["please fail"]);
    expect([broken.stopReason, broken.errorMessage]).toEqual([
      "error",
      "The demo failed because you asked it to.",
    ]);
    expect(text(broken)).toContain("I begin an answer here");
    const cut = await ask(["fail with a cut stream"]);
    expect(cut.diagnostics?.[0]?.details?.class).toBe("ended-early");
    const refused = await ask(["fail with 429"]);
    expect(refused.diagnostics?.[0]?.details).toMatchObject({
      class: "rate-limit",
      status: 429,
      retryAfterMs: 2000,
    });
  });

  it("stops at once on abort and keeps what had arrived", async () => {
    const slow = createModels({ providers: [demoProvider()], env: { RILL_DEMO_SPEED: "50" } });
    const model = slow.getModel("demo", "demo");
    if (!model) throw new Error("no demo model");
    const controller = new AbortController();
    const stream = slow.streamSimple(
      model,
      { messages: [{ role: "user", content: "a long answer", timestamp: 1 }] },
      { signal: controller.signal },
    );
    let deltas = 0;
    for await (const event of stream) {
      if (event.type === "text_delta" && ++deltas === 5) controller.abort();
    }
    const message = await stream.result();
    expect(message.stopReason).toBe("aborted");
    expect(text(message).startsWith("# How an answer")).toBe(true);
  });
});

describe("the demo's reading of a question", () => {
  it.each([
    ["what is 12.5% of 840?", "12.5 / 100 * 840"],
    ["17 times 23", "17 * 23"],
    ["(3 + 4) * 2 please", "(3 + 4) * 2"],
    ["the square root of 2", "sqrt(2)"],
    ["1,000 + 5", "1000 + 5"],
    ["on 2026-12-01", undefined],
    ["I am 30 years old", undefined],
  ])("finds the arithmetic in %j", (question, expression) => {
    expect(expressionIn(question)).toBe(expression);
  });

  it("finds places in the order of the question", () => {
    expect(timeZonesIn("time in new york, beijing and Europe/Paris")).toEqual([
      "America/New_York",
      "Asia/Shanghai",
      "Europe/Paris",
    ]);
    expect(timeZonesIn("a timeless rometic novel")).toEqual([]);
  });

  it("splits text without losing a character", () => {
    const sample = "  Two words\n\nand-a-very-long-one ";
    expect(pieces(sample).join("")).toBe(sample);
  });
});
