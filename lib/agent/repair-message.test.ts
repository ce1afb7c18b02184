import { describe, expect, it } from "vitest";
import type { AssistantMessage } from "../ai/types.ts";
import { repairMessage } from "./repair-message.ts";
import { says } from "./testing/scripted-stream.ts";

const answer = (...ids: string[]): AssistantMessage =>
  ({
    ...says("", { stopReason: "toolUse" }),
    role: "assistant",
    content: ids.map((id) => ({ type: "toolCall", id, name: "add", arguments: {} })),
  }) as AssistantMessage;
const idsOf = (message: AssistantMessage): string[] =>
  message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));

describe("ids of calls", () => {
  it("stay when they are unique: the same object", () => {
    const message = answer("a", "b");
    expect(repairMessage(message, [answer("c")])).toBe(message);
  });

  it("that a host counts anew in every answer get a counter, without a word of it", () => {
    const first = answer("functions.add:0", "functions.add:1");
    const second = repairMessage(answer("functions.add:0"), [first]);
    expect(idsOf(second)).toEqual(["functions.add:0_2"]);
    expect(second.diagnostics).toBeUndefined();
    const third = repairMessage(answer("functions.add:0"), [first, second]);
    expect(idsOf(third)).toEqual(["functions.add:0_3"]);
  });

  it("keep the vendor's item id behind the bar", () => {
    expect(idsOf(repairMessage(answer("call_1|fc_9"), [answer("call_1|fc_9")]))).toEqual([
      "call_1_2|fc_9",
    ]);
  });
});
