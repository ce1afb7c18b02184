import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyUsage } from "@/lib/ai/usage";
import type { RunEvent, RunEventBody } from "@/lib/run/events";
import { foldRunEvent, initialRunState, type RunState } from "@/lib/run/fold";
import { joinDeltas } from "./join-deltas";

const kinds = ["text", "thinking", "toolcall"] as const;
type Kind = (typeof kinds)[number];

const usage = (output: number) => ({ ...emptyUsage(), output });

function delta(kind: Kind, contentIndex: number, text: string, output?: number): RunEventBody {
  return {
    type: "message_update",
    messageId: "m1",
    assistantMessageEvent: { type: `${kind}_delta`, contentIndex, delta: text },
    ...(output === undefined ? {} : { usage: usage(output) }),
  };
}

const opened: RunEventBody[] = [
  {
    type: "message_start",
    messageId: "m1",
    message: {
      role: "assistant",
      content: [],
      api: "a",
      provider: "p",
      model: "m",
      usage: emptyUsage(),
      stopReason: "pending",
      timestamp: 0,
    },
  },
  ...kinds.map((kind, contentIndex): RunEventBody => {
    const assistantMessageEvent =
      kind === "toolcall"
        ? ({ type: "toolcall_start", contentIndex, id: "c1", name: "n" } as const)
        : ({ type: `${kind}_start`, contentIndex } as const);
    return { type: "message_update", messageId: "m1", assistantMessageEvent };
  }),
];

function folded(bodies: RunEventBody[]): RunState {
  const events = bodies.map((body, index) => ({ seq: index + 1, t: 0, ...body }) as RunEvent);
  return { ...events.reduce(foldRunEvent, initialRunState()), lastSeq: 0 };
}

describe("joinDeltas", () => {
  it("joins what continues a block, and nothing else", () => {
    const first = delta("text", 0, "Hel", 1);
    expect(joinDeltas(first, delta("text", 0, "lo"))).toEqual(delta("text", 0, "Hello", 1));
    expect(joinDeltas(first, delta("text", 0, "lo", 2))).toEqual(delta("text", 0, "Hello", 2));
    expect(joinDeltas(first, delta("text", 1, "lo"))).toBeUndefined();
    expect(joinDeltas(first, delta("thinking", 0, "lo"))).toBeUndefined();
    expect(
      joinDeltas(first, { ...delta("text", 0, "lo"), messageId: "m2" } as RunEventBody),
    ).toBeUndefined();
    expect(joinDeltas(first, { type: "turn_start" })).toBeUndefined();
    expect(joinDeltas({ type: "turn_start" }, first)).toBeUndefined();
    expect(first).toEqual(delta("text", 0, "Hel", 1));
  });

  it("folds to the same state as its parts, whatever is joined", () => {
    const part = fc
      .tuple(fc.integer({ min: 0, max: 2 }), fc.string(), fc.option(fc.nat(9), { nil: undefined }))
      .map(([index, text, output]) => delta(kinds[index] as Kind, index, text, output));
    fc.assert(
      fc.property(fc.array(fc.tuple(part, fc.boolean())), (parts) => {
        const joined: RunEventBody[] = [];
        for (const [body, join] of parts) {
          const last = joined.at(-1);
          const both = last && join ? joinDeltas(last, body) : undefined;
          if (both) joined[joined.length - 1] = both;
          else joined.push(body);
        }
        expect(folded([...opened, ...joined])).toEqual(
          folded([...opened, ...parts.map(([body]) => body)]),
        );
      }),
    );
  });
});
