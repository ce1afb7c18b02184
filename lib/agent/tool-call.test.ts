import { describe, expect, it } from "vitest";
import { emptyUsage } from "../ai/usage.ts";
import { textResult, tool } from "./testing/harness.ts";
import { call, testModel } from "./testing/scripted-stream.ts";
import { type CallScope, runToolCall } from "./tool-call.ts";

const scope = (signal: AbortSignal): CallScope => ({
  config: {},
  context: {
    messages: [],
    tools: [
      tool("add", async (_id, args) => textResult(String(Number(args.a) + 1)), {
        parameters: { type: "object", properties: { a: { type: "integer" } }, required: ["a"] },
      }),
    ],
  },
  assistantMessage: {
    role: "assistant",
    content: [],
    api: testModel.api,
    provider: testModel.provider,
    model: testModel.id,
    usage: emptyUsage(),
    stopReason: "toolUse",
    timestamp: 1,
  },
  signal,
});

describe("runToolCall", () => {
  const idle = new AbortController().signal;
  const contentOf = async (...args: Parameters<typeof runToolCall>) => {
    const { result, isError } = await runToolCall(...args);
    return [isError, result.content[0]];
  };

  it("L-070: takes a nested call through the same steps and never rejects", async () => {
    expect(await contentOf(call("1", "add", { a: "41" }), scope(idle))).toEqual([
      false,
      { type: "text", text: "42" },
    ]);
    expect(await contentOf(call("1", "sub"), scope(idle))).toEqual([
      true,
      { type: "text", text: 'There is no tool named "sub". Available tools: add.' },
    ]);
    expect(await contentOf(call("1", "add", { a: 1 }), scope(AbortSignal.abort()))).toEqual([
      true,
      { type: "text", text: "Aborted before it ran." },
    ]);
  });
});
