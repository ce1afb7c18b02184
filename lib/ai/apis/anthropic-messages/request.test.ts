import { describe, expect, it } from "vitest";
import { goOnText, openingText } from "../../conversation-ends.ts";
import { answer, testModel, transcript } from "../../testing/run-stream.ts";
import type { Context, Message, Model, SimpleStreamOptions, Tool } from "../../types.ts";
import { streamSimple } from "./index.ts";

type Body = Record<string, unknown>;

/** The body that would leave, without a network. */
async function bodyFor(
  context: Partial<Context>,
  options: SimpleStreamOptions = {},
  model: Partial<Model> = {},
): Promise<Body> {
  let body: Body | undefined;
  await streamSimple(
    testModel({
      api: "anthropic-messages",
      provider: "anthropic",
      id: "claude-test",
      baseUrl: "https://api.anthropic.com",
      ...model,
    }),
    transcript({ messages: [user("hi")], ...context }),
    {
      apiKey: "key",
      maxRetries: 0,
      cacheRetention: "none",
      fetch: async (_url, init) => {
        body = JSON.parse(String(init?.body)) as Body;
        return new Response("{}", { status: 400 });
      },
      ...options,
    },
  ).result();
  if (!body) throw new Error("nothing was sent");
  return body;
}

const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const own = { api: "anthropic-messages", provider: "anthropic", model: "claude-test" };
const call = (
  id: string,
  name = "a",
): { type: "toolCall"; id: string; name: string; arguments: Body } => ({
  type: "toolCall",
  id,
  name,
  arguments: { x: 1 },
});
const result = (
  toolCallId: string,
  fields: Partial<Extract<Message, { role: "toolResult" }>> = {},
): Message => ({
  role: "toolResult",
  toolCallId,
  toolName: "a",
  content: [{ type: "text", text: "ok" }],
  isError: false,
  timestamp: 3,
  ...fields,
});
const tool = (fields: Partial<Tool> = {}): Tool => ({
  name: "a",
  description: "d",
  parameters: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
  ...fields,
});

describe("messages as this vendor takes them", () => {
  it("drops blank texts, messages that are blank altogether, and a blank prompt", async () => {
    const body = await bodyFor({
      systemPrompt: " \n",
      messages: [
        user("  "),
        user("q"),
        answer({ ...own, content: [{ type: "text", text: "\n" }, call("t1")] }),
        result("t1", { content: [{ type: "text", text: " " }] }),
        answer({ ...own, content: [{ type: "text", text: " " }] }),
        user("next"),
      ],
    });
    expect(body.system).toBeUndefined();
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "q" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "a", input: { x: 1 } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "(The tool gave no output.)" },
        ],
      },
      { role: "user", content: [{ type: "text", text: "next" }] },
    ]);
  });

  it("sends its own signed and redacted thinking back, and no other", async () => {
    const thinking = [
      { type: "thinking" as const, thinking: "signed", thinkingSignature: "SIG" },
      { type: "thinking" as const, thinking: "unsigned", thinkingSignature: "" },
      { type: "thinking" as const, thinking: "", thinkingSignature: "DATA", redacted: true },
    ];
    const messages = (made: Partial<typeof own>): Message[] => [
      user("q"),
      answer({ ...own, ...made, content: [...thinking, { type: "text", text: "answer" }] }),
      user("and?"),
    ];
    const sent = async (made: Partial<typeof own>, compat = {}): Promise<unknown> =>
      ((await bodyFor({ messages: messages(made) }, {}, { compat })).messages as Body[])[1]
        ?.content;

    expect(await sent({})).toEqual([
      { type: "thinking", thinking: "signed", signature: "SIG" },
      { type: "redacted_thinking", data: "DATA" },
      { type: "text", text: "answer" },
    ]);
    expect(await sent({}, { allowEmptySignature: true })).toContainEqual({
      type: "thinking",
      thinking: "unsigned",
      signature: "",
    });
    expect(await sent({ model: "claude-other" })).toEqual([{ type: "text", text: "answer" }]);
  });

  it("puts all results of a turn into one message, an error's images behind them", async () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    const picture = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AAAA" },
    };
    const body = await bodyFor({
      messages: [
        user("q"),
        answer({ content: [call("b:1"), call("b.1"), call("c")] }),
        result("b:1", { content: [image] }),
        result("b.1", { isError: true, content: [{ type: "text", text: "no" }, image] }),
        result("c", { content: [{ type: "text", text: "see" }, image] }),
      ],
    });
    expect((body.messages as Body[])[2]).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "b_1",
          content: [{ type: "text", text: "(The tool gave an image.)" }, picture],
        },
        { type: "tool_result", tool_use_id: "b_1_2", is_error: true, content: "no" },
        {
          type: "tool_result",
          tool_use_id: "c",
          content: [{ type: "text", text: "see" }, picture],
        },
        { type: "text", text: "Images of the failed call of a:" },
        picture,
      ],
    });
  });

  it("tells later system messages in place where the model takes them, never between call and result", async () => {
    const messages: Message[] = [
      user("q"),
      answer({ ...own, content: [call("t")] }),
      { role: "system", content: "Be brief.", timestamp: 3 },
      result("t"),
      user("go on"),
    ];
    const inPlace = await bodyFor(
      { systemPrompt: "First.", messages },
      {},
      { compat: { supportsMidConvoSystemMessages: true } },
    );
    expect(inPlace.system).toEqual([{ type: "text", text: "First." }]);
    expect((inPlace.messages as Body[]).map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "user",
      "system",
    ]);
    const collapsed = await bodyFor({ systemPrompt: "First.", messages });
    expect(collapsed.system).toEqual([{ type: "text", text: "First.\n\nBe brief." }]);
  });

  it("sends the vendor's own blocks back to the model that made them, and plain blocks to others", async () => {
    const native = {
      api: "anthropic-messages",
      items: [
        { type: "server_tool_use", id: "srv", name: "web_search", input: { q: 1 } },
        { type: "web_search_tool_result", tool_use_id: "srv", content: [] },
        { type: "text", text: "Tea.", citations: [{ type: "x" }] },
        { type: "server_tool_use", id: "lost", name: "web_search", input: {} },
      ],
    };
    const sent = async (made: object, ...next: Message[]): Promise<unknown> =>
      (
        (
          await bodyFor({
            messages: [
              user("q"),
              answer({ ...own, ...made, native, content: [{ type: "text", text: "Tea." }] }),
              ...next,
            ],
          })
        ).messages as Body[]
      )[1]?.content;

    expect(await sent({}, user("more"))).toEqual(native.items.slice(0, 3));
    expect(await sent({ model: "other" }, user("more"))).toEqual([{ type: "text", text: "Tea." }]);
    // A paused turn goes on where it stopped, until somebody speaks.
    expect(await sent({ endTurn: false })).toEqual(native.items);
    expect(await sent({ endTurn: false }, user("more"))).toEqual(native.items.slice(0, 3));
  });

  it("trims a last answer that is to be continued", async () => {
    const body = await bodyFor(
      { messages: [user("q"), answer({ ...own, content: [{ type: "text", text: "It is \n" }] })] },
      {},
      { reasoning: false },
    );
    expect((body.messages as Body[])[1]?.content).toEqual([{ type: "text", text: "It is" }]);
    expect(body.messages).toHaveLength(2);
  });

  it("lets the user speak first and, to a model that thinks, last", async () => {
    const greeting = answer({ ...own, content: [{ type: "text", text: "Hello." }] });
    const body = await bodyFor({ messages: [greeting] }, { reasoning: "low" });
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: openingText }] },
      { role: "assistant", content: [{ type: "text", text: "Hello." }] },
      { role: "user", content: [{ type: "text", text: goOnText }] },
    ]);
  });

  it("never ends an answer with thinking", async () => {
    const thinking = { type: "thinking" as const, thinking: "Hm.", thinkingSignature: "SIG" };
    const body = await bodyFor({
      messages: [user("q"), answer({ ...own, content: [thinking] }), user("and?")],
    });
    expect((body.messages as Body[]).map(({ role }) => role)).toEqual(["user", "user"]);
  });
});

describe("tools", () => {
  it("have an object schema without a union at its root", async () => {
    const body = await bodyFor({
      tools: [tool({ parameters: { anyOf: [{ required: ["x"] }], $defs: { y: {} } } })],
    });
    expect(body.tools).toEqual([
      {
        name: "a",
        description: "d",
        input_schema: { type: "object", properties: {}, $defs: { y: {} } },
        eager_input_streaming: true,
      },
    ]);
  });

  it("have names that the vendor takes, in tools, calls and back", async () => {
    const long = `${"n".repeat(70)}!`;
    const body = await bodyFor({
      tools: [tool({ name: long }), tool({ name: "plain" })],
      messages: [user("q"), answer({ content: [call("t", long)] })],
    });
    const [first] = body.tools as { name: string }[];
    expect(first?.name).toMatch(/^[\w-]{1,64}$/);
    expect((body.messages as Body[])[1]?.content).toMatchObject([{ name: first?.name }]);
  });

  it("may require strictness, which fails where it cannot be had", async () => {
    const strict = tool({ constrainedSampling: { type: "json_schema", strict: "require" } });
    await expect(bodyFor({ tools: [strict] })).rejects.toThrow("nothing was sent");
    const body = await bodyFor({ tools: [strict] }, {}, { compat: { supportsStrictTools: true } });
    expect(body.tools).toMatchObject([{ strict: true }]);
  });

  it("are chosen only where there are any", async () => {
    expect(await bodyFor({}, { toolChoice: "none" })).not.toHaveProperty("tool_choice");
    expect(await bodyFor({ tools: [tool()] }, { toolChoice: "none" })).toMatchObject({
      tool_choice: { type: "none" },
    });
  });
});

describe("thinking and the cap of the output", () => {
  const sent = async (
    options: SimpleStreamOptions,
    model: Partial<Model> = {},
    context: Partial<Context> = {},
  ): Promise<unknown[]> => {
    const body = await bodyFor(context, options, model);
    return [body.max_tokens, (body.thinking as Body | undefined)?.budget_tokens];
  };

  it("keeps the budget below the cap, and the caller's cap", async () => {
    expect(await sent({ reasoning: "high" })).toEqual([64_000, 16_384]);
    expect(await sent({ reasoning: "high", maxTokens: 4000 })).toEqual([4000, 2976]);
    expect(await sent({ reasoning: "low", maxTokens: 1500 })).toEqual([1500, 1024]);
    // The smallest budget does not fit, so it comes on top of the answer's cap.
    expect(await sent({ reasoning: "high", maxTokens: 1000 })).toEqual([2024, 1024]);
    // So short an answer needs no thinking.
    expect(await sent({ reasoning: "high", maxTokens: 500 })).toEqual([500, undefined]);
    expect(await sent({ reasoning: "low", thinkingBudgets: { low: 3000 } })).toEqual([
      64_000, 3000,
    ]);
  });

  it("goes without thinking where the window is nearly full", async () => {
    const model = { contextWindow: 10_000 };
    const messages = [user("x".repeat(3.5 * 5700))];
    const [cap, budget] = await sent({ reasoning: "high" }, model, { messages });
    expect(cap).toBeLessThan(1024);
    expect(budget).toBeUndefined();
  });

  it("asks adaptive models for an effort", async () => {
    const adaptive = { id: "claude-opus-4-6", thinkingLevelMap: { max: "max" } };
    expect(await bodyFor({}, { reasoning: "minimal" }, adaptive)).toMatchObject({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
    });
    expect(await bodyFor({}, { reasoning: "xhigh" }, adaptive)).toMatchObject({
      output_config: { effort: "max" },
    });
    expect(await bodyFor({}, {}, adaptive)).toMatchObject({ thinking: { type: "disabled" } });
    const always = await bodyFor({}, {}, { ...adaptive, thinkingLevelMap: { off: null } });
    expect(always).not.toHaveProperty("thinking");
  });

  it("sends temperature only to a model that does not think", async () => {
    expect(await bodyFor({}, { temperature: 0 })).toMatchObject({ temperature: 0 });
    for (const body of [
      await bodyFor({}, { temperature: 0, reasoning: "low" }),
      await bodyFor({}, { temperature: 0 }, { compat: { supportsTemperature: false } }),
      await bodyFor({}, { temperature: 0 }, { thinkingLevelMap: { off: null } }),
    ]) {
      expect(body).not.toHaveProperty("temperature");
    }
  });

  it("P-142: always sends a cap, also for a model of which none is known", async () => {
    const unknown = { maxTokens: 0, contextWindow: 0 };
    expect(await sent({}, unknown)).toEqual([8192, undefined]);
    expect(await sent({ maxTokens: 20_000 }, unknown)).toEqual([20_000, undefined]);
  });

  it("thinks by effort or by budget as the model's flag says, whatever its name", async () => {
    const forced = await bodyFor(
      {},
      { reasoning: "low" },
      { compat: { forceAdaptiveThinking: true } },
    );
    expect(forced.thinking).toMatchObject({ type: "adaptive" });
    const budget = await bodyFor(
      {},
      { reasoning: "low" },
      { id: "claude-opus-4-6", compat: { forceAdaptiveThinking: false } },
    );
    expect(budget.thinking).toMatchObject({ type: "enabled", budget_tokens: 2048 });
  });

  it("ends a tool turn without thinking that was begun without", async () => {
    const messages = [user("q"), answer({ content: [call("t")] }), result("t")];
    expect(await bodyFor({ messages }, { reasoning: "high" })).toMatchObject({
      thinking: { type: "disabled" },
    });
  });
});

describe("what is known of the caller", () => {
  it("P-146: is the user's id and nothing else of the metadata", async () => {
    const body = await bodyFor({}, { metadata: { user_id: "u1", trace: "t1" } });
    expect(body.metadata).toEqual({ user_id: "u1" });
    for (const metadata of [{}, { user_id: 7 }, { trace: "t1" }]) {
      expect(await bodyFor({}, { metadata })).not.toHaveProperty("metadata");
    }
  });
});

describe("the cache", () => {
  const context: Partial<Context> = { systemPrompt: "P", tools: [tool(), tool({ name: "b" })] };
  const marks = (body: Body): unknown[] => [
    (body.system as Body[])[0]?.cache_control,
    ...(body.tools as Body[]).map((entry) => entry.cache_control),
    (((body.messages as Body[]).at(-1)?.content as Body[]) ?? [])[0]?.cache_control,
  ];

  it("is marked behind prompt, tools and newest input", async () => {
    const short = { type: "ephemeral" };
    const long = { type: "ephemeral", ttl: "1h" };
    expect(marks(await bodyFor(context, { cacheRetention: undefined }))).toEqual([
      short,
      undefined,
      short,
      short,
    ]);
    expect(marks(await bodyFor(context, { cacheRetention: "long" }))).toEqual([
      long,
      undefined,
      long,
      long,
    ]);
    expect(
      marks(
        await bodyFor(
          context,
          { cacheRetention: "long" },
          { compat: { supportsCacheControlOnTools: false, supportsLongCacheRetention: false } },
        ),
      ),
    ).toEqual([short, undefined, undefined, short]);
    expect(marks(await bodyFor(context))).toEqual([undefined, undefined, undefined, undefined]);
  });
});
