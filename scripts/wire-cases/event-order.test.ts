import { describe, expect, it } from "vitest";
import type { AssistantMessage, AssistantMessageEvent, ToolCall } from "@/lib/ai/types";
import { OrderChecker } from "./event-order";

type Step = (message: AssistantMessage) => AssistantMessageEvent;

const call: ToolCall = { type: "toolCall", id: "c", name: "clock", arguments: {} };

/** A right response of one text block and one call, each step of which also does its part on the live message. */
const steps = {
  start: (partial) => ({ type: "start", partial }),
  textStart: (partial) => {
    partial.content.push({ type: "text", text: "" });
    return { type: "text_start", contentIndex: 0, partial };
  },
  textDelta: (partial) => {
    const block = partial.content[0];
    if (block?.type === "text") block.text += "Hi";
    return { type: "text_delta", contentIndex: 0, delta: "Hi", partial };
  },
  textEnd: (partial) => ({ type: "text_end", contentIndex: 0, content: "Hi", partial }),
  callStart: (partial) => {
    partial.content.push(call);
    return { type: "toolcall_start", contentIndex: 1, partial };
  },
  callDelta: (partial) => ({ type: "toolcall_delta", contentIndex: 1, delta: "{}", partial }),
  callEnd: (partial) => ({ type: "toolcall_end", contentIndex: 1, toolCall: call, partial }),
  done: (message) => {
    message.stopReason = "toolUse";
    return { type: "done", reason: "toolUse", message };
  },
} satisfies Record<string, Step>;

const right: Step[] = Object.values(steps);

function violations(sequence: Step[]): string[] {
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    api: "demo",
    provider: "demo",
    model: "demo",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "pending",
    timestamp: 0,
  };
  const checker = new OrderChecker();
  for (const step of sequence) checker.see(step(message));
  return checker.finish();
}

const without = (...left: Step[]): Step[] => right.filter((step) => !left.includes(step));
const replace = (old: Step, by: Step): Step[] => right.map((step) => (step === old ? by : step));
const restart: Step = (partial) => ({ type: "toolcall_start", contentIndex: 1, partial });
const swap = (one: Step, other: Step): Step[] =>
  right.map((step) => (step === one ? other : step === other ? one : step));

describe("the order of events", () => {
  it("accepts a right response, and an error alone", () => {
    expect(violations(right)).toEqual([]);
    const error: Step = (message) => {
      message.stopReason = "error";
      return { type: "error", reason: "error", error: message };
    };
    expect(violations([error])).toEqual([]);
    expect(violations([steps.start, steps.textStart, steps.textDelta, error])).toEqual([]);
  });

  it.each<[string, Step[], string]>([
    ["no start", without(steps.start), "P-081: text_start comes before start"],
    ["a second start", [steps.start, ...right], "P-081: a second start"],
    ["nothing but done", [steps.done], "P-081: done comes without a start"],
    ["no last event", without(steps.done), "P-082: no last event"],
    ["two last events", [...right, steps.done], "P-082: done comes after the end"],
    ["an event after the end", swap(steps.callEnd, steps.done), "P-094: block 1 has no end"],
    [
      "swapped events",
      swap(steps.textDelta, steps.textEnd),
      "P-094: text_delta of block 0, which is not open",
    ],
    [
      "a block that was not started",
      without(steps.textStart),
      "P-092: text_delta points at 0, where there is nothing",
    ],
    ["a block without an end", without(steps.textEnd), "P-094: block 0 has no end"],
    [
      "a lost delta",
      replace(steps.textEnd, (partial) => ({
        type: "text_end",
        contentIndex: 0,
        content: "i",
        partial,
      })),
      "P-088: block 0 ends with other text than its deltas gave",
    ],
    [
      "a block that starts twice",
      right.flatMap((step) =>
        step === steps.callStart ? [step, steps.callDelta, restart] : [step],
      ),
      "P-092: block 1 starts a second time",
    ],
    [
      "a copied partial",
      replace(steps.textDelta, (partial) => {
        const event = steps.textDelta(partial);
        return { ...event, partial: { ...partial } } as AssistantMessageEvent;
      }),
      "P-086: text_delta carries another partial",
    ],
    [
      "another call at its end",
      replace(steps.callEnd, (partial) => ({
        type: "toolcall_end",
        contentIndex: 1,
        toolCall: { ...call },
        partial,
      })),
      "P-084: toolcall_end of block 1 carries another call",
    ],
    [
      "deltas that do not make the arguments",
      replace(steps.callDelta, (partial) => ({
        type: "toolcall_delta",
        contentIndex: 1,
        delta: '{"zone":"UTC"}',
        partial,
      })),
      "P-090: the deltas of call 1 do not say its arguments",
    ],
    [
      "a reason that is not the message's",
      replace(steps.done, (message) => ({ type: "done", reason: "stop", message })),
      "P-085: reason and stopReason differ",
    ],
    [
      "a block that nobody announced",
      without(steps.callStart, steps.callDelta, steps.callEnd).flatMap((step) =>
        step === steps.done
          ? [
              (message: AssistantMessage) => {
                message.content.push(call);
                return steps.done(message);
              },
            ]
          : [step],
      ),
      "P-092: 2 blocks at the end, and 1 were started",
    ],
    [
      "a final message that lost text",
      replace(steps.done, (message) => {
        message.content[0] = { type: "text", text: "" };
        return steps.done(message);
      }),
      "P-096: the message lost text of block 0",
    ],
  ])("refuses %s", (_name, sequence, violation) => {
    expect(violations(sequence)).toContain(violation);
  });
});
