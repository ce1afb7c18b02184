import { describe, expect, it } from "vitest";
import { capture } from "../../testing/play-completions.ts";
import { hello } from "../../testing/run-stream.ts";
import { call, lookUp, own, result, text, user } from "../../testing/transcript-parts.ts";
import type { Message, StreamFunction, Tool } from "../../types.ts";
import { stream } from "./index.ts";

const wireLookUp = {
  type: "function",
  function: { name: "look_up", description: "Looks a word up.", parameters: lookUp.parameters },
};

describe("the body", () => {
  it("holds what was asked for and nothing else", async () => {
    const { body, url } = await capture(hello);
    expect(url).toBe("https://api.openai.com/v1/chat/completions");
    expect(body).toEqual({
      model: "test-model",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
      store: false,
      max_completion_tokens: 64_000,
    });
  });

  it("A-003: sampling parameters come last, the request's over the model's", async () => {
    const { body } = await capture(hello, {
      model: { samplingParams: { top_k: 1, top_p: 0.1 } },
      options: { temperature: 0, samplingParams: { top_p: 0.5, max_completion_tokens: 7 } },
    });
    expect(body).toMatchObject({ temperature: 0, top_k: 1, top_p: 0.5, max_completion_tokens: 7 });
  });

  it("a caller's limit stays the cap, and a full window lowers it", async () => {
    const asked = await capture(hello, { options: { maxTokens: 100 } });
    expect(asked.body.max_completion_tokens).toBe(100);
    const full = await capture(hello, { model: { contextWindow: 6000 } });
    expect(full.body.max_completion_tokens).toBe(1903);
    const unknown = await capture(hello, { model: { maxTokens: 0 } });
    expect(unknown.body).not.toHaveProperty("max_completion_tokens");
  });

  it("P-160: stream takes the api's own options, and sets no limit by itself", async () => {
    const { body } = await capture(
      { ...hello, tools: [lookUp] },
      { options: { toolChoice: "required" } as object },
      stream as StreamFunction,
    );
    expect(body.tool_choice).toBe("required");
    expect(body).not.toHaveProperty("max_completion_tokens");
  });

  it("onPayload has the last word", async () => {
    const { body } = await capture(hello, {
      options: { onPayload: () => ({ messages: [], x: 1 }) },
    });
    expect(body).toEqual({ messages: [], x: 1 });
  });
});

describe("tools", () => {
  it("W-16: tool_choice goes only with tools", async () => {
    const options = { toolChoice: "none" } as const;
    const withTools = await capture({ ...hello, tools: [lookUp] }, { options });
    expect(withTools.body).toMatchObject({ tools: [wireLookUp], tool_choice: "none" });
    const without = await capture(hello, { options });
    expect(without.body).not.toHaveProperty("tool_choice");
    expect(without.body).not.toHaveProperty("tools");
  });

  it("strict where the tool asks and the host can; required where it cannot is an error", async () => {
    const strict = (mode: "prefer" | "require"): Tool => ({
      ...lookUp,
      constrainedSampling: { type: "json_schema", strict: mode },
    });
    const { body } = await capture(
      { ...hello, tools: [strict("require")] },
      { compat: { supportsStrictMode: true } },
    );
    expect(body.tools).toEqual([
      {
        ...wireLookUp,
        function: {
          ...wireLookUp.function,
          parameters: { ...lookUp.parameters, additionalProperties: false },
          strict: true,
        },
      },
    ]);
    expect((await capture({ ...hello, tools: [strict("prefer")] })).body.tools).toEqual([
      wireLookUp,
    ]);
    await expect(capture({ ...hello, tools: [strict("require")] })).rejects.toThrow(/look_up/);
  });

  it("a grammar tool is free-form where the host can, and its calls go back as such", async () => {
    const tool: Tool = {
      ...lookUp,
      constrainedSampling: { type: "grammar", variants: { openai_lark: "start: A" } },
    };
    const context = {
      messages: [user("a"), own(call("c")), result("c", [text("blue")])],
      tools: [tool],
    };
    const { body } = await capture(context, { compat: { supportsOpenAIGrammarTools: true } });
    expect(body.tools).toEqual([
      {
        type: "custom",
        custom: {
          name: "look_up",
          description: "Looks a word up.",
          format: { type: "grammar", grammar: { syntax: "lark", definition: "start: A" } },
        },
      },
    ]);
    expect(body.messages[1]).toMatchObject({
      tool_calls: [{ id: "c", type: "custom", custom: { name: "look_up", input: "sky" } }],
    });
    const ordinary = await capture(context);
    expect(ordinary.body.messages[1]).toMatchObject({
      tool_calls: [{ function: { name: "look_up", arguments: '{"word":"sky"}' } }],
    });
  });

  it("P-408: names are mapped one to one, in tools and calls alike", async () => {
    const named = (name: string): Tool => ({ ...lookUp, name });
    const long = "a".repeat(64);
    const { body } = await capture({
      messages: [
        user("a"),
        own({ type: "toolCall", id: "c", name: "a.b", arguments: {} }),
        result("c", [text("x")]),
      ],
      tools: [named("a.b"), named("a_b"), named(`${long}1`), named(`${long}2`)],
    });
    const names = (body.tools as (typeof wireLookUp)[]).map((tool) => tool.function.name);
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(names[1]).toBe("a_b");
    expect(body.messages[1]).toMatchObject({ tool_calls: [{ function: { name: names[0] } }] });
  });

  it("history with calls gets an empty list where the host wants one", async () => {
    const compat = { requiresToolsWithToolHistory: true };
    const messages = [user("a"), own(call("c")), result("c", [text("blue")])];
    expect((await capture({ messages }, { compat })).body.tools).toEqual([]);
    expect((await capture(hello, { compat })).body).not.toHaveProperty("tools");
    expect((await capture({ messages })).body).not.toHaveProperty("tools");
  });

  it("late tools are declared in place where the host can", async () => {
    const later: Tool = { ...lookUp, name: "later" };
    const messages: Message[] = [
      user("a"),
      own(text("b")),
      { role: "system", content: "More.", toolsAdded: [later], timestamp: 2 },
      user("c"),
    ];
    const context = { systemPrompt: "Be brief.", messages, tools: [lookUp] };
    const wireLater = { ...wireLookUp, function: { ...wireLookUp.function, name: "later" } };
    const { body } = await capture(context, {
      compat: { supportsMidConvoSystemMessages: true, supportsMidConvoToolAdditions: true },
    });
    expect(body.tools).toEqual([wireLookUp]);
    expect(body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
      { role: "system", content: "More.", tools: [wireLater] },
      { role: "user", content: "c" },
    ]);
    const folded = await capture(context);
    expect(folded.body.tools).toEqual([wireLookUp, wireLater]);
    expect(folded.body.messages[0]).toEqual({ role: "system", content: "Be brief.\n\nMore." });
  });
});
