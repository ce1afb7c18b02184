import { describe, expect, it } from "vitest";
import { answer, testModel } from "./testing/run-stream.ts";
import {
  estimateInputTokens,
  estimateTextTokens,
  fitMaxTokens,
  wantedTokens,
} from "./token-limits.ts";
import type { AssistantMessage, Message, Usage } from "./types.ts";

const model = (contextWindow: number) =>
  testModel({ api: "a", id: "m", baseUrl: "https://a.example", contextWindow });
const user = (length: number, timestamp = 1): Message => ({
  role: "user",
  content: "x".repeat(length),
  timestamp,
});
const used = (totalTokens: number, fields: Partial<AssistantMessage> = {}): AssistantMessage => {
  const base = answer({ content: [] });
  return { ...base, usage: { ...base.usage, totalTokens } as Usage, timestamp: 2, ...fields };
};

describe("the estimate of a transcript's tokens", () => {
  it("P-176: three and a half characters a token, an image as 4800 characters", () => {
    expect(estimateInputTokens([user(350)])).toBe(100);
    const image: Message = {
      role: "user",
      content: [{ type: "image", data: "A", mimeType: "image/png" }],
      timestamp: 1,
    };
    expect(estimateInputTokens([image])).toBe(Math.ceil(4800 / 3.5));
    const call = { type: "toolCall", id: "c", name: "add", arguments: { a: 1 } } as const;
    expect(estimateInputTokens([answer({ content: [call] })])).toBe(Math.ceil(10 / 3.5));
  });

  it("P-176: tools count with their text", () => {
    const tool = { name: "a", description: "d", parameters: {} };
    const system: Message = { role: "system", content: "", toolsAdded: [tool], timestamp: 0 };
    expect(estimateInputTokens([system])).toBe(Math.ceil(JSON.stringify([tool]).length / 3.5));
  });

  it("X21: a Chinese character is a token", () => {
    expect(estimateTextTokens("你".repeat(1000))).toBe(1000);
  });

  it("P-177: what a vendor reported counts for all up to it, and only what came later is estimated", () => {
    expect(estimateInputTokens([user(35_000), used(500), user(350)])).toBe(600);
  });

  it.each([
    ["failed", used(500, { stopReason: "error" })],
    ["was aborted", used(500, { stopReason: "aborted" })],
    ["reported nothing", used(0)],
    ["is older than what stands before it", used(500, { timestamp: 0 })],
  ])("P-177: an answer that %s is not trusted", (_how, message) => {
    expect(estimateInputTokens([user(350), message, user(350)])).toBe(200);
  });
});

describe("P-175: how many tokens an answer may ask for", () => {
  it.each([
    ["no window is known", 0, 0, 500, 500],
    ["none were asked for", 0, 0, 0, 1],
    ["there is room", 200_000, 350, 64_000, 64_000],
    ["a share of the input is kept free", 200_000, 350_000, 100_000, 85_000],
    ["little is left", 40_000, 70_000, 64_000, 40_000 - 20_000 - 4096],
    ["nothing is left", 10_000, 35_000, 64_000, 1],
  ])("when %s", (_when, window, characters, asked, expected) => {
    expect(fitMaxTokens(model(window), asked, [user(characters)])).toBe(expected);
  });
});

describe("wantedTokens", () => {
  it.each([
    ["the caller's cap", 100, 64_000, 100],
    ["what the model gives where the caller wants more", 100_000, 64_000, 64_000],
    ["what the model gives where the caller says nothing", undefined, 64_000, 64_000],
    ["the caller's cap where nothing is known of the model", 100, 0, 100],
    ["nothing where nothing is known", undefined, 0, undefined],
  ])("is %s", (_what, asked, maxTokens, expected) => {
    expect(wantedTokens({ ...model(0), maxTokens }, asked)).toBe(expected);
  });
});
