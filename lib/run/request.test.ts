import { describe, expect, it } from "vitest";
import { emptyUsage } from "@/lib/ai/usage";
import { InvalidRequestError, parseRunMessage, parseRunRequest, parseToolAnswer } from "./request";

const user = { role: "user", content: "hi", timestamp: 1 };
const body = {
  runId: "run-12345678",
  model: { provider: "demo", id: "demo" },
  thinkingLevel: "low",
  context: { messages: [user] },
};
const customModel = {
  id: "m",
  name: "Mine",
  api: "openai-completions",
  provider: "mine",
  baseUrl: "http://localhost:1234/v1",
  reasoning: false,
  input: ["text"],
  contextWindow: 0,
  maxTokens: 0,
};

function fieldOf(change: Record<string, unknown>): string {
  try {
    parseRunRequest({ ...body, ...change });
  } catch (error) {
    if (error instanceof InvalidRequestError && error.message.startsWith(error.field)) {
      return error.field;
    }
    throw error;
  }
  return "accepted";
}

describe("parseRunRequest", () => {
  it("takes messages of all roles and keeps fields that it does not know", () => {
    const messages = [
      { role: "system", content: "Be brief.", sections: { plan: null }, timestamp: 0, later: 1 },
      { role: "user", content: [{ type: "text", text: "hi", note: 2 }], timestamp: 1 },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "", thinkingSignature: "sig", redacted: true },
          { type: "text", text: "ok", textSignature: "t" },
          { type: "toolCall", id: "c1", name: "add", arguments: {}, thoughtSignature: "g" },
        ],
        api: "demo",
        provider: "demo",
        model: "demo",
        usage: emptyUsage(),
        stopReason: "toolUse",
        native: { api: "demo", items: [1] },
        timestamp: 2,
      },
      {
        role: "toolResult",
        toolCallId: "c1",
        toolName: "add",
        content: [{ type: "image", data: "AA==", mimeType: "image/png" }],
        details: { deep: [1] },
        isError: false,
        timestamp: 3,
      },
      { role: "custom", kind: "note", data: { x: 1 }, timestamp: 4 },
    ];
    expect(parseRunRequest({ ...body, context: { messages } }).context.messages).toEqual(messages);
  });

  it("takes a whole model of one's own with all its fields", () => {
    const model = { ...customModel, compat: { supportsStore: false }, headers: { "x-a": null } };
    expect(parseRunRequest({ ...body, model }).model).toEqual(model);
  });

  it("thinks not at all unless asked to", () => {
    const { thinkingLevel: _unset, ...rest } = body;
    expect(parseRunRequest(rest).thinkingLevel).toBe("off");
  });

  it.each([
    [{ runId: "../../etc" }, "runId"],
    [{ runId: 5 }, "runId"],
    [{ model: "demo" }, "model"],
    [{ model: { provider: "demo" } }, "model.id"],
    [{ model: { ...customModel, baseUrl: "file:///etc/passwd" } }, "model.baseUrl"],
    [{ model: { ...customModel, headers: { "a\nb": "c" } } }, "model.headers.a\nb"],
    [{ thinkingLevel: "much" }, "thinkingLevel"],
    [{ context: undefined }, "context"],
    [{ context: { messages: [] } }, "context.messages"],
    [{ context: { messages: [{ role: "wizard" }] } }, "context.messages.0.role"],
    [
      { context: { messages: [user, { ...user, timestamp: "now" }] } },
      "context.messages.1.timestamp",
    ],
    [
      { context: { messages: [{ ...user, content: [{ type: "text", text: 1 }] }] } },
      "context.messages.0.content.0.text",
    ],
    [{ context: { messages: [user], tools: [{ name: "x" }] } }, "context.tools.0.description"],
    [{ options: { temperature: "hot" } }, "options.temperature"],
    [{ options: { apiKey: "sk-1" } }, "options.apiKey"],
    [{ tools: { calculate: "sometimes" } }, "tools.calculate"],
    [{ record: "everything" }, "record"],
  ])("refuses %j and names %s", (change, field) => {
    expect(fieldOf(change)).toBe(field);
  });

  it("refuses what is not an object at all", () => {
    expect(() => parseRunRequest("hi")).toThrow(InvalidRequestError);
    expect(() => parseRunRequest(null)).toThrow(InvalidRequestError);
  });
});

describe("the other bodies", () => {
  it("takes a message for a run that is on", () => {
    expect(parseRunMessage({ message: user, mode: "steer" })).toEqual({
      message: user,
      mode: "steer",
    });
    expect(() => parseRunMessage({ message: user, mode: "shout" })).toThrow("mode");
  });

  it("takes a decision or a result, not both", () => {
    const result = { content: [{ type: "text", text: "ok" }] };
    expect(parseToolAnswer({ decision: "deny", reason: "no" })).toEqual({
      decision: "deny",
      reason: "no",
    });
    expect(parseToolAnswer({ result })).toEqual({ result });
    expect(() => parseToolAnswer({ decision: "allow", result })).toThrow(InvalidRequestError);
    expect(() => parseToolAnswer({ result: { content: [{ type: "text" }] } })).toThrow(
      "result.content.0.text",
    );
  });
});
