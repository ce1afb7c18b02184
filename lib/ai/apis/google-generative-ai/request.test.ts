import { describe, expect, it } from "vitest";
import { goOnText, openingText } from "../../conversation-ends.ts";
import { answer, testModel, transcript } from "../../testing/run-stream.ts";
import { userImageUnreadable } from "../../transform-messages.ts";
import type {
  AssistantMessage,
  Context,
  Message,
  Model,
  SimpleStreamOptions,
  Tool,
} from "../../types.ts";
import { streamSimple } from "./index.ts";

type Body = Record<string, unknown>;

/** The body that would leave, without a network. */
async function bodyFor(
  context: Partial<Context>,
  options: SimpleStreamOptions = {},
  model: Partial<Model> = {},
): Promise<Body> {
  let body: Body | undefined;
  const message = await streamSimple(
    testModel({
      api: "google-generative-ai",
      provider: "google",
      id: "gemini-3-flash",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      ...model,
    }),
    transcript({ messages: [user("hi")], ...context }),
    {
      apiKey: "key",
      maxRetries: 0,
      fetch: async (_url, init) => {
        body = JSON.parse(String(init?.body)) as Body;
        return new Response("{}", { status: 400 });
      },
      ...options,
    },
  ).result();
  if (!body) throw new Error(message.errorMessage);
  return body;
}

const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const own = { api: "google-generative-ai", provider: "google", model: "gemini-3-flash" };
const old = { id: "gemini-2.5-flash" };
const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
const picture = { inlineData: { mimeType: "image/png", data: "AAAA" } };
const call = (
  id: string,
  more: object = {},
): Extract<AssistantMessage["content"][number], { type: "toolCall" }> => ({
  type: "toolCall",
  id,
  name: "a",
  arguments: { x: 1 },
  ...more,
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
  parameters: { type: "object", properties: { x: { type: "number" } } },
  ...fields,
});

describe("contents as this vendor takes them", () => {
  it("drops blank texts, and puts all system messages in front", async () => {
    const body = await bodyFor({
      systemPrompt: "Be kind.",
      messages: [
        user(" "),
        user("q"),
        { role: "system", content: "Be brief.", timestamp: 2 },
        answer({ ...own, content: [{ type: "text", text: "\n" }] }),
        user("next"),
      ],
    });
    expect(body.systemInstruction).toEqual({ parts: [{ text: "Be kind.\n\nBe brief." }] });
    expect(body.contents).toEqual([
      { role: "user", parts: [{ text: "q" }] },
      { role: "user", parts: [{ text: "next" }] },
    ]);
  });

  it("sends its own thoughts and signatures back, and no other's", async () => {
    const content: AssistantMessage["content"] = [
      { type: "thinking", thinking: "hm", thinkingSignature: "U0lHMQ==" },
      { type: "text", text: "", textSignature: "U0lHMg==" },
      { type: "text", text: "on it", textSignature: "no base64!" },
      call("c1", { thoughtSignature: "U0lHMw==" }),
      call("c2"),
    ];
    const sent = async (made: object): Promise<unknown> =>
      (
        (
          await bodyFor({
            messages: [user("q"), answer({ ...own, ...made, content }), result("c1"), result("c2")],
          })
        ).contents as Body[]
      )[1]?.parts;
    expect(await sent({})).toEqual([
      { thought: true, text: "hm", thoughtSignature: "U0lHMQ==" },
      { text: "", thoughtSignature: "U0lHMg==" },
      { text: "on it" },
      { functionCall: { name: "a", args: { x: 1 }, id: "c1" }, thoughtSignature: "U0lHMw==" },
      { functionCall: { name: "a", args: { x: 1 }, id: "c2" } },
    ]);
    const placeholder = { thoughtSignature: "skip_thought_signature_validator" };
    expect(await sent({ model: "gemini-2.5-pro" })).toEqual([
      { text: "on it" },
      { functionCall: { name: "a", args: { x: 1 }, id: "c1" }, ...placeholder },
      { functionCall: { name: "a", args: { x: 1 }, id: "c2" }, ...placeholder },
    ]);
  });

  it("gives calls and results ids where the model has them, in its form", async () => {
    const messages = [user("q"), answer({ content: [call("call|1")] }), result("call|1")];
    expect((await bodyFor({ messages })).contents).toMatchObject([
      {},
      { parts: [{ functionCall: { id: "call_1" } }] },
      { parts: [{ functionResponse: { id: "call_1", name: "a", response: { output: "ok" } } }] },
    ]);
    expect((await bodyFor({ messages }, {}, old)).contents).toEqual([
      { role: "user", parts: [{ text: "q" }] },
      { role: "model", parts: [{ functionCall: { name: "a", args: { x: 1 } } }] },
      {
        role: "user",
        parts: [{ functionResponse: { name: "a", response: { output: "ok" } } }],
      },
    ]);
  });

  it("keeps all results of a turn together, their images inside or behind them", async () => {
    const messages = [
      user("q"),
      answer({ content: [call("1"), call("2")] }),
      result("1", { content: [image] }),
      result("2", { isError: true, content: [{ type: "text", text: '{"$ref":"#/x"}' }] }),
    ];
    const inside = (await bodyFor({ messages })).contents as Body[];
    expect(inside.slice(2)).toMatchObject([
      {
        role: "user",
        parts: [
          { functionResponse: { parts: [picture] } },
          { functionResponse: { response: { error: '{"$ref":"#/x"}' } } },
        ],
      },
    ]);
    const behind = (await bodyFor({ messages }, {}, old)).contents as Body[];
    expect(behind.slice(2)).toEqual([
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              name: "a",
              response: { output: "The tool gave an image; it is attached." },
            },
          },
          { functionResponse: { name: "a", response: { error: '{"$ref":"#/x"}' } } },
        ],
      },
      { role: "user", parts: [{ text: "Images that the tool a gave:" }, picture] },
    ]);
  });

  it("sends the vendor's own parts back to the model that made them", async () => {
    const message = answer({
      ...own,
      content: [{ type: "text", text: "Here." }, call("ours")],
      images: [image],
      native: {
        api: "google-generative-ai",
        items: [
          { executableCode: { code: "1" }, thoughtSignature: "U0lH" },
          { text: "Here." },
          { inlineData: { mimeType: "image/png", imageIndex: 0 } },
          { functionCall: { name: "a", args: { x: 1 } }, thoughtSignature: "U0lH" },
        ],
      },
    });
    const sent = async (made: object): Promise<unknown> =>
      (
        (await bodyFor({ messages: [user("q"), { ...message, ...made }, user("more")] }))
          .contents as Body[]
      )[1]?.parts;
    expect(await sent({})).toEqual([
      { executableCode: { code: "1" }, thoughtSignature: "U0lH" },
      { text: "Here." },
      picture,
      { functionCall: { name: "a", args: { x: 1 }, id: "ours" }, thoughtSignature: "U0lH" },
    ]);
    expect(await sent({ model: "gemini-4" })).toMatchObject([
      { text: "Here." },
      { functionCall: { id: "ours" } },
    ]);
  });
});

describe("turns as this vendor wants them", () => {
  const said = (words: string): Message => answer({ content: [{ type: "text", text: words }] });

  it("begin and end with the user", async () => {
    const { contents } = await bodyFor({ messages: [said("Hello.")] });
    expect(contents).toEqual([
      { role: "user", parts: [{ text: openingText }] },
      { role: "model", parts: [{ text: "Hello." }] },
      { role: "user", parts: [{ text: goOnText }] },
    ]);
  });

  it("put answers without a question in between together, so that calls follow the user", async () => {
    const { contents } = await bodyFor({
      messages: [user("q"), said("One."), user(" "), answer({ content: [call("c")] }), result("c")],
    });
    expect((contents as Body[]).map(({ role }) => role)).toEqual(["user", "model", "user"]);
    expect((contents as Body[])[1]?.parts).toMatchObject([
      { text: "One." },
      { functionCall: { name: "a" } },
    ]);
  });

  it("sign the first call where a later one alone is signed", async () => {
    const signed = call("d", { thoughtSignature: "U0lH" });
    const made = answer({ ...own, content: [call("c"), signed] });
    const { contents } = await bodyFor({ messages: [user("q"), made, result("c"), result("d")] });
    expect((contents as Body[])[1]?.parts).toMatchObject([
      { thoughtSignature: "skip_thought_signature_validator" },
      { thoughtSignature: "U0lH" },
    ]);
  });

  it("tell of an image that Gemini cannot read, and name tools from a letter on", async () => {
    const gif = { ...image, mimeType: "image/gif" };
    const { contents, tools } = await bodyFor({
      messages: [{ role: "user", content: [gif, image], timestamp: 1 }],
      tools: [{ name: "1st", description: "d", parameters: {} }],
    });
    expect(contents).toEqual([{ role: "user", parts: [{ text: userImageUnreadable }, picture] }]);
    expect(tools).toMatchObject([{ functionDeclarations: [{ name: "_1st" }] }]);
  });
});

describe("tools", () => {
  it("are one list with schemas that the vendor takes", async () => {
    const body = await bodyFor({
      tools: [tool({ parameters: { properties: { k: { const: 1 } } } })],
    });
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          {
            name: "a",
            description: "d",
            parametersJsonSchema: {
              type: "object",
              properties: { k: { type: "number", enum: [1] } },
            },
          },
        ],
      },
    ]);
    expect(body).not.toHaveProperty("toolConfig");
  });

  it("are chosen only where there are any, and held to their schemas where the model can", async () => {
    const mode = async (
      tools: Tool[],
      options: SimpleStreamOptions = {},
      model: Partial<Model> = {},
    ): Promise<unknown> =>
      (
        (await bodyFor({ tools }, options, model)).toolConfig as
          | { functionCallingConfig: Body }
          | undefined
      )?.functionCallingConfig.mode;
    const strict = (how: "prefer" | "require"): Tool =>
      tool({ constrainedSampling: { type: "json_schema", strict: how } });
    expect(await mode([], { toolChoice: "none" })).toBeUndefined();
    expect(await mode([tool()], { toolChoice: "none" })).toBe("NONE");
    expect(await mode([strict("prefer")])).toBe("VALIDATED");
    expect(await mode([strict("prefer")], { toolChoice: "none" })).toBe("NONE");
    expect(await mode([strict("prefer")], {}, old)).toBeUndefined();
    await expect(mode([strict("require")], {}, old)).rejects.toThrow("The tool a requires strict");
  });
});

describe("thinking and the cap of the output", () => {
  const config = async (options: SimpleStreamOptions, model: Partial<Model> = {}): Promise<Body> =>
    (await bodyFor({}, options, model)).generationConfig as Body;

  it("is a level on newer models, and the least of all where it cannot be turned off", async () => {
    expect(await config({ reasoning: "high" })).toEqual({
      maxOutputTokens: 64_000,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" },
    });
    expect(await config({})).toMatchObject({ thinkingConfig: { thinkingLevel: "MINIMAL" } });
    const map = { off: null, minimal: null, low: "low", medium: "medium", high: "high" };
    expect(await config({}, { thinkingLevelMap: map })).toMatchObject({
      thinkingConfig: { thinkingLevel: "LOW" },
    });
    expect(
      await config({ reasoning: "minimal" }, { id: "gemini-pro-latest", thinkingLevelMap: map }),
    ).toMatchObject({ thinkingConfig: { includeThoughts: true, thinkingLevel: "LOW" } });
  });

  it("is a budget on older ones, which leaves room for the answer", async () => {
    const budget = async (options: SimpleStreamOptions, id: string): Promise<unknown> =>
      ((await config(options, { id })).thinkingConfig as Body).thinkingBudget;
    expect(await budget({ reasoning: "high" }, "gemini-2.5-pro")).toBe(32_768);
    expect(await budget({ reasoning: "minimal" }, "gemini-2.5-flash-lite")).toBe(512);
    expect(
      await budget({ reasoning: "low", thinkingBudgets: { low: 99 } }, "gemini-2.5-flash"),
    ).toBe(99);
    expect(await budget({ reasoning: "high", maxTokens: 3000 }, "gemini-2.5-flash")).toBe(1976);
    expect(await budget({ reasoning: "high", maxTokens: 500 }, "gemini-2.5-pro")).toBe(128);
    expect(await budget({ reasoning: "high" }, "gemini-2.0-x")).toBe(-1);
    expect(await budget({}, "gemini-2.5-flash")).toBe(0);
    expect(await budget({}, "gemini-2.5-pro")).toBe(128);
  });

  it("knows nothing of caches, sessions and others' sampling parameters", async () => {
    const plain = await bodyFor({});
    const options = {
      cacheRetention: "long",
      sessionId: "s1",
      metadata: { user_id: "u" },
      samplingParams: { top_k: 1 },
    } as const;
    expect(await bodyFor({}, options)).toEqual(plain);
  });

  it("is nothing on models that do not think", async () => {
    expect(
      await config({ reasoning: "high", temperature: 0, maxTokens: 9 }, { reasoning: false }),
    ).toEqual({
      maxOutputTokens: 9,
      temperature: 0,
    });
  });
});

describe("what a model can by its name", () => {
  const placeholder = "skip_thought_signature_validator";
  const messages = [user("q"), answer({ content: [call("1")] }), result("1")];

  it("holds for aliases of the newest, and gives way to what the model's flags say", async () => {
    const sent = async (model: Partial<Model>): Promise<string> =>
      JSON.stringify((await bodyFor({ messages }, {}, model)).contents);
    expect(await sent({ id: "gemini-flash-latest" })).toContain(placeholder);
    expect(await sent({ id: "models/gemini-4-neon" })).toContain(placeholder);
    expect(await sent(old)).not.toContain(placeholder);
    expect(await sent({ ...old, compat: { requiresThoughtSignature: true } })).toContain(
      placeholder,
    );
    expect(await sent({ compat: { requiresThoughtSignature: false } })).not.toContain(placeholder);
    expect(await sent({ compat: { toolCallIds: undefined } })).toContain('"id":"1"');
  });
});
