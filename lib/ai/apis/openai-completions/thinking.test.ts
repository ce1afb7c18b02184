import { describe, expect, it } from "vitest";
import type { ThinkingFormat } from "../../compat.ts";
import { capture, type PlayOptions } from "../../testing/play-completions.ts";
import { hello } from "../../testing/run-stream.ts";
import type { Model, SimpleStreamOptions, ThinkingLevel } from "../../types.ts";

const thinkingKeys = [
  "reasoning_effort",
  "reasoning",
  "thinking",
  "enable_thinking",
  "chat_template_kwargs",
  "chat_template_args",
  "thinking_budget",
  "thinking_token_budget",
];
async function thinkingOf(
  options: SimpleStreamOptions,
  compat: PlayOptions["compat"],
  map?: Model["thinkingLevelMap"],
): Promise<Record<string, unknown>> {
  const model = {
    reasoning: true,
    thinkingLevelMap: map,
    provider: "mine",
    baseUrl: "https://api.unknown.example/v1",
  };
  const { body } = await capture(hello, { options, compat, model });
  return Object.fromEntries(Object.entries(body).filter(([key]) => thinkingKeys.includes(key)));
}

describe("how a host is told to think", () => {
  const template = {
    think: { $var: "enabled" },
    depth: { $var: "effort", omitWhenOff: true },
    limit: { $var: "budget" },
    fixed: 1,
  } as const;
  const on = { reasoning_effort: "HIGH" };
  const rows: [
    format: ThinkingFormat,
    on: object,
    off: object,
    offMapped: object,
    offNever: object,
  ][] = [
    ["openai", on, {}, { reasoning_effort: "NO" }, {}],
    [
      "openrouter",
      { reasoning: { effort: "HIGH" } },
      { reasoning: { effort: "none" } },
      { reasoning: { effort: "NO" } },
      {},
    ],
    [
      "deepseek",
      { thinking: { type: "enabled" }, ...on },
      { thinking: { type: "disabled" } },
      { thinking: { type: "disabled" } },
      {},
    ],
    [
      "zai",
      { thinking: { type: "enabled", clear_thinking: false }, ...on },
      { thinking: { type: "disabled" } },
      { thinking: { type: "disabled" } },
      { thinking: { type: "disabled" } },
    ],
    [
      "together",
      { reasoning: { enabled: true }, ...on },
      { reasoning: { enabled: false } },
      { reasoning: { enabled: false } },
      { reasoning: { enabled: false } },
    ],
    [
      "qwen",
      { enable_thinking: true, ...on },
      { enable_thinking: false },
      { enable_thinking: false },
      { enable_thinking: false },
    ],
    [
      "qwen-chat-template",
      { chat_template_kwargs: { enable_thinking: true, preserve_thinking: true } },
      { chat_template_kwargs: { enable_thinking: false, preserve_thinking: true } },
      { chat_template_kwargs: { enable_thinking: false, preserve_thinking: true } },
      { chat_template_kwargs: { enable_thinking: false, preserve_thinking: true } },
    ],
    [
      "chat-template",
      { chat_template_kwargs: { think: true, depth: "HIGH", limit: 16384, fixed: 1 } },
      { chat_template_kwargs: { think: false, fixed: 1 } },
      { chat_template_kwargs: { think: false, fixed: 1 } },
      { chat_template_kwargs: { think: false, fixed: 1 } },
    ],
    [
      "baseten",
      { chat_template_args: { think: true }, ...on },
      { chat_template_args: { think: false } },
      { chat_template_args: { think: false }, reasoning_effort: "NO" },
      { chat_template_args: { think: false } },
    ],
    ["string-thinking", { thinking: "HIGH" }, { thinking: "none" }, { thinking: "NO" }, {}],
    ["ant-ling", { reasoning: { effort: "HIGH" } }, {}, {}, {}],
  ];
  it.each(rows)(
    "thinkingFormat %s: on, off, off by the model's word, never off",
    async (thinkingFormat, whenOn, whenOff, offMapped, offNever) => {
      const compat = {
        thinkingFormat,
        chatTemplateKwargs: template,
        chatTemplateArgs: { think: { $var: "enabled" } as const },
      };
      const high = { high: "HIGH" };
      expect(await thinkingOf({ reasoning: "high" }, compat, high)).toEqual(whenOn);
      expect(await thinkingOf({}, compat, high)).toEqual(whenOff);
      expect(await thinkingOf({}, compat, { ...high, off: "NO" })).toEqual(offMapped);
      expect(await thinkingOf({}, compat, { ...high, off: null })).toEqual(offNever);
    },
  );

  it("no effort where the host knows none, our own word where the model maps none", async () => {
    const compat = { thinkingFormat: "deepseek" } as const;
    expect(await thinkingOf({ reasoning: "low" }, compat)).toMatchObject({
      reasoning_effort: "low",
    });
    expect(
      await thinkingOf({ reasoning: "low" }, { ...compat, supportsReasoningEffort: false }),
    ).toEqual({ thinking: { type: "enabled" } });
  });

  it("a level that the model lacks becomes its next one", async () => {
    const map: Partial<Record<ThinkingLevel, string | null>> = { minimal: null, low: null };
    expect(await thinkingOf({ reasoning: "minimal" }, {}, map)).toEqual({
      reasoning_effort: "medium",
    });
  });

  it("a budget leaves room for the answer, and none is sent when there is no room", async () => {
    const compat = { supportsThinkingTokenBudget: true, supportsReasoningEffort: false };
    const budget = (maxTokens: number): Promise<object> =>
      thinkingOf({ reasoning: "high", maxTokens, thinkingBudgets: { high: 5000 } }, compat);
    expect(await budget(20_000)).toEqual({ thinking_token_budget: 5000 });
    expect(await budget(3000)).toEqual({ thinking_token_budget: 1976 });
    expect(await budget(1000)).toEqual({});
    expect(
      await thinkingOf(
        { reasoning: "low" },
        { ...compat, thinkingTokenBudgetField: "thinking_budget" },
      ),
    ).toEqual({ thinking_budget: 2048 });
  });

  it("a model that cannot think is told nothing", async () => {
    const { body } = await capture(hello, {
      options: { reasoning: "high" },
      compat: { thinkingFormat: "qwen" },
    });
    expect(body).not.toHaveProperty("enable_thinking");
  });
});
