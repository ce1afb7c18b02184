import { describe, expect, it } from "vitest";
import { goOnText } from "../../conversation-ends.ts";
import { type CaptureOptions, capture } from "../../testing/play-completions.ts";
import { answer, hello } from "../../testing/run-stream.ts";
import { call, lookUp, own, result, text, user } from "../../testing/transcript-parts.ts";
import type { AssistantContent, Context, Message, ToolCall } from "../../types.ts";

const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;

const messagesOf = async (
  context: Context,
  captureOptions?: CaptureOptions,
): Promise<Record<string, unknown>[]> => (await capture(context, captureOptions)).body.messages;

describe("messages", () => {
  it("the prompt goes to the developer only where the host knows that role", async () => {
    const context = { ...hello, systemPrompt: "Be brief." };
    const role = async (captureOptions?: CaptureOptions) =>
      (await messagesOf(context, captureOptions))[0]?.role;
    expect(await role({ model: { reasoning: true } })).toBe("developer");
    expect(await role({ model: { reasoning: false } })).toBe("system");
    expect(
      await role({
        model: { reasoning: true, provider: "groq", baseUrl: "https://api.groq.com/openai/v1" },
      }),
    ).toBe("system");
  });

  it("B057: blank texts and messages are left out", async () => {
    const messages = await messagesOf({
      systemPrompt: " \n",
      messages: [
        user("q"),
        own(text("\n\n"), call("c")),
        result("c", [text(" ")]),
        own(text(" ")),
        user(""),
        user([text(""), text("next")]),
        user([]),
      ],
    });
    expect(messages).toMatchObject([
      { role: "user", content: "q" },
      { role: "assistant", content: null, tool_calls: [{ id: "c" }] },
      { role: "tool", content: "(The tool gave no output.)", tool_call_id: "c" },
      { role: "user", content: [{ type: "text", text: "next" }] },
    ]);
    expect(messages).toHaveLength(4);
  });

  it("B059: images of results follow all results of the turn, as the user's", async () => {
    const messages = await messagesOf({
      messages: [
        user([text("look"), image]),
        own(call("a"), call("b")),
        result("a", [image]),
        result("b", [text("one"), text("two"), image]),
      ],
    });
    const part = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect(messages.slice(2)).toEqual([
      {
        role: "tool",
        content: "(The tool gave an image, which follows below.)",
        tool_call_id: "a",
      },
      { role: "tool", content: "one\ntwo", tool_call_id: "b" },
      {
        role: "user",
        content: [{ type: "text", text: "Images from the tool results above:" }, part, part],
      },
    ]);
    expect(messages[0]).toEqual({ role: "user", content: [{ type: "text", text: "look" }, part] });
  });

  it("a failed result without words says that it failed", async () => {
    const messages = await messagesOf({
      messages: [user("q"), own(call("a")), result("a", [], true)],
    });
    expect(messages[2]).toMatchObject({ content: "(The tool failed without saying why.)" });
  });

  it("a host that needs an answer between results and the user gets one", async () => {
    const messages = await messagesOf(
      { messages: [user("q"), own(call("a")), result("a", [text("x")]), user("next")] },
      { compat: { requiresAssistantAfterToolResult: true } },
    );
    expect(messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(messages[1]).toMatchObject({ content: "" });
  });

  it("NVIDIA gets texts as one string", async () => {
    const nvidia = { provider: "nvidia", baseUrl: "https://integrate.api.nvidia.com/v1" };
    const messages = await messagesOf(
      {
        messages: [user([text("one"), text("two")]), user([text(" ")]), user([text("see"), image])],
      },
      { model: nvidia },
    );
    expect(messages[0]).toEqual({ role: "user", content: "one\ntwo" });
    expect(messages[1]).toMatchObject({ content: [{ type: "text" }, { type: "image_url" }] });
    expect(messages).toHaveLength(2);
  });

  it("a host that takes no null gets an empty text beside calls", async () => {
    const messages = await messagesOf(
      { messages: [user("q"), own(call("a")), result("a", [text("x")])] },
      { compat: { requiresNonNullAssistantContent: true } },
    );
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", "q"],
      ["assistant", ""],
      ["tool", "x"],
    ]);
  });

  it("B061: no lone surrogate leaves, in any string", async () => {
    const half = "\ud83d";
    const { body } = await capture({
      systemPrompt: `s${half}`,
      messages: [
        user(`u${half} 😀`),
        own(
          { type: "thinking", thinking: `t${half}`, thinkingSignature: "reasoning" },
          { type: "toolCall", id: "c", name: "look_up", arguments: { [`k${half}`]: half } },
        ),
        result("c", [text(half)]),
      ],
      tools: [{ ...lookUp, description: `d${half}`, parameters: { type: "object", title: half } }],
    });
    const sent = JSON.stringify(body);
    expect(sent).toContain("😀");
    expect(sent).not.toMatch(/\\ud[89a-f]/i);
  });
});

describe("thinking of the same model goes back", () => {
  const thought = (thinking: string, thinkingSignature?: string): AssistantContent => ({
    type: "thinking",
    thinking,
    thinkingSignature,
  });
  const replay = async (content: AssistantContent[], captureOptions?: CaptureOptions) =>
    (await messagesOf({ messages: [user("q"), own(...content), user("next")] }, captureOptions))[1];

  it("under the field in which it came, one line a block", async () => {
    expect(
      await replay([thought("a", "reasoning"), text("A"), thought("b", "reasoning"), text("B")]),
    ).toEqual({ role: "assistant", content: "A\nB", reasoning: "a\nb" });
  });

  it("as the vendor's own details", async () => {
    const details = [{ type: "reasoning.encrypted", data: "X" }];
    expect(await replay([thought("", JSON.stringify(details)), text("A")])).toEqual({
      role: "assistant",
      content: "A",
      reasoning_details: details,
    });
  });

  it("B052: not at all when nothing says how, or what says it is broken", async () => {
    expect(
      await replay([
        thought("private"),
        thought("private", "[broken"),
        thought("private", "sig"),
        text("A"),
      ]),
    ).toEqual({ role: "assistant", content: "A" });
  });

  it("as leading text where the host wants it so", async () => {
    expect(
      await replay([thought("plan"), text("A")], { compat: { requiresThinkingAsText: true } }),
    ).toEqual({ role: "assistant", content: "plan\n\nA" });
  });

  it("DeepSeek wants the field always", async () => {
    const compat = { requiresReasoningContentOnAssistantMessages: true };
    expect(await replay([text("A")], { compat })).toEqual({
      role: "assistant",
      content: "A",
      reasoning_content: "",
    });
    expect(await replay([thought("a", "reasoning_content"), text("A")], { compat })).toMatchObject({
      reasoning_content: "a",
    });
  });

  it("B051: another model's does not", async () => {
    const messages = [
      user("q"),
      answer({ content: [thought("secret", "reasoning"), text("A")] }),
      user("next"),
    ];
    expect((await messagesOf({ messages }))[1]).toEqual({ role: "assistant", content: "A" });
  });

  it("what stood beside a call goes back beside it", async () => {
    const signature = '{"google":{"thought_signature":"S"}}';
    expect(
      await replay([{ ...call("c"), thoughtSignature: signature } as AssistantContent]),
    ).toMatchObject({
      tool_calls: [{ id: "c", extra_content: { google: { thought_signature: "S" } } }],
    });
  });
});

describe("ids of another model's calls", () => {
  const idsOf = async (ids: string[], model = {}): Promise<[string[], string[]]> => {
    const messages = await messagesOf(
      {
        messages: [
          user("q"),
          answer({ content: ids.map(call) }),
          ...ids.map((id) => result(id, [text(id)])),
        ],
      },
      { model },
    );
    const calls = messages[1]?.tool_calls as { id: string }[];
    return [
      calls.map(({ id }) => id),
      messages.filter(({ role }) => role === "tool").map((tool) => String(tool.tool_call_id)),
    ];
  };
  const elsewhere = { provider: "groq", baseUrl: "https://api.groq.com/openai/v1" };

  it("with a bar become one word of 40 at most", async () => {
    const long = `call_${"x".repeat(30)}|fc_${"y".repeat(40)}`;
    const [calls, results] = await idsOf(["call.1|fc:1", long], elsewhere);
    expect(calls).toEqual(["call_1_fc_1", expect.stringMatching(/^call_x{26}_[a-z0-9]{8}$/)]);
    expect(results).toEqual(calls);
  });

  it("without one stay, but OpenAI takes no more than 40 and no two alike", async () => {
    const ids = ["a".repeat(50), "a".repeat(49)];
    expect((await idsOf(ids, elsewhere))[0]).toEqual(ids);
    const [calls, results] = await idsOf(ids);
    expect(calls.every((id) => id.length <= 40)).toBe(true);
    expect(new Set(calls).size).toBe(2);
    expect(results).toEqual(calls);
  });

  it("B065: Mistral takes nine letters and digits", async () => {
    const mistral = { provider: "mistral", baseUrl: "https://api.mistral.ai/v1" };
    const ids = ["toolu_01-LWy", "toolu_01-LWz", "abcDEF123"];
    const [calls, results] = await idsOf(ids, mistral);
    for (const id of calls) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(new Set(calls).size).toBe(3);
    expect(calls[2]).toBe("abcDEF123");
    expect(results).toEqual(calls);
    expect((await idsOf(ids, mistral))[0]).toEqual(calls);
  });
});

describe("what Mistral refuses", () => {
  const mistral = { provider: "mistral", baseUrl: "https://api.mistral.ai/v1" };

  it("is a conversation that ends with an answer", async () => {
    const context: Context = { messages: [user("q"), own(text("Hello."))] };
    expect(await messagesOf(context, { model: mistral })).toEqual([
      { role: "user", content: "q" },
      { role: "assistant", content: "Hello." },
      { role: "user", content: goOnText },
    ]);
    expect(await messagesOf(context)).toHaveLength(2);
  });

  it("is an id of another length, also where its own stands twice", async () => {
    const made = (): Message =>
      answer({
        content: [{ ...call("abcDEF123") } as ToolCall],
        api: "openai-completions",
        provider: "mistral",
        model: "test-model",
      });
    const messages = await messagesOf(
      { messages: [user("q"), made(), made(), user("go on")] },
      { model: mistral },
    );
    const ids = messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
    expect(ids).toEqual(["abcDEF123", expect.stringMatching(/^[a-z0-9]{9}$/)]);
  });
});

describe("tools of a message behind the prompt", () => {
  it("are declared there where the host takes them, also before anybody spoke", async () => {
    const messages = await messagesOf(
      {
        systemPrompt: "Be brief.",
        messages: [
          { role: "system", content: "And kind.", toolsAdded: [lookUp], timestamp: 1 },
          user("q"),
        ],
      },
      { compat: { supportsMidConvoSystemMessages: true, supportsMidConvoToolAdditions: true } },
    );
    expect(messages).toMatchObject([
      { content: "Be brief." },
      { content: "And kind.", tools: [{ function: { name: "look_up" } }] },
      { role: "user" },
    ]);
  });
});
