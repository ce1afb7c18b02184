import { describe, expect, it } from "vitest";
import type { AssistantMessage } from "@/lib/ai/types";
import { differences } from "./expectation";

const message: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "thinking", thinking: "Let me\nsee." },
    { type: "text", text: "It is " },
    { type: "text", text: "late." },
    { type: "toolCall", id: "call_1|fc_1", name: "clock", arguments: { zone: "UTC" } },
    { type: "toolCall", id: "call_2", name: "clock", arguments: {}, argumentsError: "broken" },
  ],
  api: "openai-responses",
  provider: "openai",
  model: "asked",
  responseId: "resp_1",
  usage: {
    input: 1,
    output: 2,
    cacheRead: 3,
    cacheWrite: 4,
    totalTokens: 10,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  rawStopReason: "completed",
  errorMessage: "It said: slow down",
  timestamp: 0,
};

const agreeing = {
  text: "It is late .",
  thinking: "Let me see.",
  toolCalls: [
    { name: "clock", callId: "call_1", arguments: { zone: "UTC" } },
    { name: "clock", argumentsInvalid: true },
  ],
  usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10 },
  stopReason: ["stop", "toolUse"],
  rawStopReason: "completed",
  responseId: "resp_1",
  responseModel: "asked",
  errorContains: ["slow down"],
};

describe("differences", () => {
  it("finds none in a message that fits, nor where nothing is expected", () => {
    expect(differences(message, agreeing)).toEqual([]);
    expect(differences(message, {})).toEqual([]);
  });

  it.each([
    [{ text: "It is early." }, 'text is "Itislate.", not "Itisearly."'],
    [{ thinking: "" }, 'thinking is "Letmesee.", not ""'],
    [{ usage: { output: 3 } }, "usage.output is 2, not 3"],
    [{ stopReason: "stop" }, "stopReason is toolUse, not stop"],
    [{ rawStopReason: "failed" }, 'rawStopReason is "completed", not "failed"'],
    [{ responseId: "resp_2" }, 'responseId is "resp_1", not "resp_2"'],
    [{ responseModel: "other" }, 'responseModel is "asked", not "other"'],
    [{ images: 1 }, "images is 0, not 1"],
    [{ errorContains: ["quota"] }, 'errorMessage is "It said: slow down", without "quota"'],
    [{ toolCalls: [] }, "there are 2 tool calls, not 0"],
    [
      { toolCalls: [{ name: "clock", arguments: { zone: "X" } }, { name: "clock" }] },
      'call 0 has {"zone":"UTC"}, not {"zone":"X"}',
    ],
    [
      { toolCalls: [{ name: "clock", callId: "call_3" }, { name: "clock" }] },
      "call 0 has the id call_1|fc_1, not call_3",
    ],
    [
      { toolCalls: [{ name: "clock", argumentsInvalid: true }, { name: "clock" }] },
      "call 0 does not say that its arguments are broken",
    ],
    [{ toolCalls: [{ name: "clock" }, { name: "alarm" }] }, "call 1 is to clock, not alarm"],
  ])("tells what is wrong: %o", (expected, sentence) => {
    expect(differences(message, expected)).toEqual([sentence]);
  });
});
