import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AssistantMessage, ToolCall } from "@/lib/ai/types";
import type { RunEvent, RunEventBody } from "./events";
import { foldRunEvent, initialRunState, type RunState } from "./fold";

const usage = {
  input: 1,
  output: 2,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 3,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function assistant(patch: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: "demo",
    provider: "demo",
    model: "demo",
    usage,
    stopReason: "pending",
    timestamp: 5,
    ...patch,
  };
}

const numbered = (bodies: RunEventBody[]): RunEvent[] =>
  bodies.map((body, index) => ({ seq: index + 1, t: index * 10, ...body }) as RunEvent);

const fold = (events: RunEvent[], state = initialRunState()): RunState =>
  events.reduce(foldRunEvent, state);

const call: ToolCall = { type: "toolCall", id: "c1", name: "add", arguments: { a: 1 } };
const update = (
  assistantMessageEvent: Extract<RunEventBody, { type: "message_update" }>["assistantMessageEvent"],
): RunEventBody => ({ type: "message_update", messageId: "m1", assistantMessageEvent });

const answerWithCall: RunEventBody[] = [
  { type: "agent_start" },
  { type: "turn_start" },
  { type: "message_start", messageId: "m1", message: assistant() },
  update({ type: "thinking_start", contentIndex: 0 }),
  update({ type: "thinking_delta", contentIndex: 0, delta: "hm" }),
  update({ type: "thinking_end", contentIndex: 0, content: "hm." }),
  update({ type: "text_start", contentIndex: 1 }),
  update({ type: "text_delta", contentIndex: 1, delta: "So " }),
  update({ type: "text_delta", contentIndex: 1, delta: "far" }),
  update({ type: "toolcall_start", contentIndex: 2, id: "c1", name: "add" }),
  update({ type: "toolcall_delta", contentIndex: 2, delta: '{"a"' }),
  update({ type: "toolcall_delta", contentIndex: 2, delta: ":1}" }),
];

describe("foldRunEvent", () => {
  it("grows a message block by block", () => {
    const state = fold(numbered(answerWithCall));
    expect(state).toEqual({
      lastSeq: 12,
      status: "running",
      interrupted: false,
      tools: {},
      messages: [
        {
          id: "m1",
          complete: false,
          argsText: { 2: '{"a":1}' },
          message: assistant({
            content: [
              { type: "thinking", thinking: "hm." },
              { type: "text", text: "So far" },
              { type: "toolCall", id: "c1", name: "add", arguments: {} },
            ],
          }),
        },
      ],
    });
  });

  it("takes a complete call as pending and lets go of its text", () => {
    const state = fold(
      numbered([
        ...answerWithCall,
        update({ type: "toolcall_end", contentIndex: 2, toolCall: call }),
      ]),
    );
    expect(state.tools).toEqual({
      c1: { toolCallId: "c1", toolName: "add", args: { a: 1 }, state: "pending" },
    });
    expect(state.messages[0]).not.toHaveProperty("argsText");
  });

  it("lets the finished message stand over what was pieced together", () => {
    const final = assistant({ content: [{ type: "text", text: "other" }], stopReason: "stop" });
    const state = fold(
      numbered([...answerWithCall, { type: "message_end", messageId: "m1", message: final }]),
    );
    expect(state.messages).toEqual([{ id: "m1", message: final, complete: true }]);
  });

  it("keeps usage as it grows", () => {
    const event = { ...update({ type: "text_start", contentIndex: 0 }), usage } as RunEventBody;
    const state = fold(numbered([...answerWithCall.slice(0, 3), event]));
    expect(state.messages[0]?.usage).toEqual(usage);
  });

  it("follows a tool from its start through approval to its result", () => {
    const result = { content: [{ type: "text" as const, text: "1" }] };
    const events = numbered([
      { type: "tool_execution_start", toolCallId: "c1", toolName: "add", args: { a: 1 } },
      { type: "tool_approval_requested", toolCallId: "c1", toolName: "add", args: { a: 1 } },
      { type: "tool_approval_decided", toolCallId: "c1", decision: "allow" },
      {
        type: "tool_execution_update",
        toolCallId: "c1",
        toolName: "add",
        args: { a: 1 },
        partialResult: { content: [] },
      },
      {
        type: "tool_execution_end",
        toolCallId: "c1",
        toolName: "add",
        result,
        isError: false,
        durationMs: 7,
      },
    ]);
    const states = events.map((_, index) => fold(events.slice(0, index + 1)).tools.c1?.state);
    expect(states).toEqual(["running", "awaiting-approval", "running", "running", "done"]);
    expect(fold(events).tools.c1).toEqual({
      toolCallId: "c1",
      toolName: "add",
      args: { a: 1 },
      state: "done",
      result,
      durationMs: 7,
    });
  });

  it("tells a denied and an aborted call from one that failed", () => {
    const ended = (details: unknown): string | undefined =>
      fold(
        numbered([
          { type: "tool_execution_start", toolCallId: "c1", toolName: "add", args: {} },
          {
            type: "tool_execution_end",
            toolCallId: "c1",
            toolName: "add",
            result: { content: [], details },
            isError: true,
          },
        ]),
      ).tools.c1?.state;
    expect([ended({ outcome: "denied" }), ended({ outcome: "aborted" }), ended({})]).toEqual([
      "denied",
      "aborted",
      "error",
    ]);
  });

  it("starts afresh when a vendor gives two calls of a run the same id", () => {
    const end: RunEventBody = {
      type: "tool_execution_end",
      toolCallId: "c1",
      toolName: "add",
      result: { content: [] },
      isError: false,
    };
    const start = (a: number): RunEventBody => ({
      type: "tool_execution_start",
      toolCallId: "c1",
      toolName: "add",
      args: { a },
    });
    expect(fold(numbered([start(1), end, start(2)])).tools.c1).toEqual({
      toolCallId: "c1",
      toolName: "add",
      args: { a: 2 },
      state: "running",
    });
  });

  it("takes a call id from hostile hands as a name and nothing else", () => {
    const state = fold(
      numbered([
        {
          type: "tool_execution_update",
          toolCallId: "constructor",
          toolName: "add",
          args: {},
          partialResult: 1,
        },
      ]),
    );
    expect(Object.keys(state.tools)).toEqual(["constructor"]);
    expect(state.tools.constructor).toMatchObject({ toolName: "add", state: "running" });
  });

  it("ends calls that a stopped answer or a finished run left open", () => {
    const stopped = assistant({ content: [call], stopReason: "aborted" });
    const afterStop = fold(
      numbered([
        { type: "message_start", messageId: "m1", message: assistant() },
        { type: "message_end", messageId: "m1", message: stopped },
      ]),
    );
    expect(afterStop.tools.c1?.state).toBe("aborted");
    const afterEnd = fold(
      numbered([
        { type: "tool_execution_start", toolCallId: "c1", toolName: "add", args: {} },
        { type: "agent_end", messages: [], interrupted: true },
      ]),
    );
    expect(afterEnd).toMatchObject({
      status: "ended",
      interrupted: true,
      tools: { c1: { state: "aborted" } },
    });
  });

  it("shows a retry until the vendor answers", () => {
    const retry: RunEventBody = {
      type: "provider_retry",
      turn: 1,
      attempt: 1,
      maxRetries: 2,
      delayMs: 500,
      status: 429,
      message: "slow down",
    };
    const waiting = fold(numbered([retry]));
    expect(waiting.retry).toEqual({
      attempt: 1,
      maxRetries: 2,
      delayMs: 500,
      status: 429,
      message: "slow down",
    });
    const answered = fold(
      numbered([retry, { type: "message_start", messageId: "m1", message: assistant() }]),
    );
    expect(answered).not.toHaveProperty("retry");
  });

  it("counts what it does not know and changes nothing else", () => {
    const state = foldRunEvent(initialRunState(), { seq: 1, t: 0, type: "later_kind" } as never);
    expect(state).toEqual({ ...initialRunState(), lastSeq: 1 });
  });

  it("gives a new reference only to what changed", () => {
    const before = fold(
      numbered([
        { type: "message_start", messageId: "m0", message: assistant() },
        { type: "message_end", messageId: "m0", message: assistant({ stopReason: "toolUse" }) },
        { type: "message_start", messageId: "m1", message: assistant() },
        update({ type: "text_start", contentIndex: 0 }),
        update({ type: "text_start", contentIndex: 1 }),
      ]),
    );
    const after = foldRunEvent(before, {
      seq: 6,
      t: 0,
      ...update({ type: "text_delta", contentIndex: 1, delta: "x" }),
    } as RunEvent);
    const contentOf = (state: RunState) =>
      (state.messages[1] as { message: AssistantMessage }).message.content;
    expect(after.messages[0]).toBe(before.messages[0]);
    expect(after.tools).toBe(before.tools);
    expect(contentOf(after)[0]).toBe(contentOf(before)[0]);
    expect(contentOf(before)[1]).toEqual({ type: "text", text: "" });
    expect(contentOf(after)[1]).toEqual({ type: "text", text: "x" });
  });
});

const contentIndex = fc.integer({ min: 0, max: 3 });
const word = fc.string({ maxLength: 5 });
const messageId = fc.constantFrom("m1", "m2", "m3");
const toolCallId = fc.constantFrom("c1", "c2");
const wireEvent = fc.oneof(
  fc.record({
    type: fc.constantFrom("text_start" as const, "thinking_start" as const),
    contentIndex,
  }),
  fc.record({
    type: fc.constantFrom(
      "text_delta" as const,
      "thinking_delta" as const,
      "toolcall_delta" as const,
    ),
    contentIndex,
    delta: word,
  }),
  fc.record({
    type: fc.constantFrom("text_end" as const, "thinking_end" as const),
    contentIndex,
    content: word,
  }),
  fc.record({
    type: fc.constant("toolcall_start" as const),
    contentIndex,
    id: toolCallId,
    name: word,
  }),
  fc.record({
    type: fc.constant("toolcall_end" as const),
    contentIndex,
    toolCall: fc.record({
      type: fc.constant("toolCall" as const),
      id: toolCallId,
      name: word,
      arguments: fc.constant({ a: 1 }),
    }),
  }),
);
const anyBody = fc.oneof(
  {
    arbitrary: fc.record({
      type: fc.constant("message_update" as const),
      messageId,
      assistantMessageEvent: wireEvent,
    }),
    weight: 8,
  },
  fc.record({
    type: fc.constant("message_start" as const),
    messageId,
    message: fc.constant(assistant()),
  }),
  fc.record({
    type: fc.constant("message_end" as const),
    messageId,
    message: fc.constantFrom(
      assistant({ content: [call], stopReason: "toolUse" }),
      assistant({ content: [call], stopReason: "aborted" }),
    ),
  }),
  fc.record({
    type: fc.constant("tool_execution_start" as const),
    toolCallId,
    toolName: word,
    args: fc.constant({}),
  }),
  fc.record({
    type: fc.constant("tool_execution_end" as const),
    toolCallId,
    toolName: word,
    result: fc.constant({ content: [] }),
    isError: fc.boolean(),
  }),
  fc.record({
    type: fc.constant("tool_approval_decided" as const),
    toolCallId,
    decision: fc.constantFrom("allow" as const, "deny" as const),
  }),
  fc.constant<RunEventBody>({ type: "agent_end", messages: [] }),
);
const anyLog = fc
  .array(anyBody, { maxLength: 60 })
  .map((bodies) => numbered(bodies as RunEventBody[]));

describe("a fold that is cut and told things twice", () => {
  it("comes to the same state from any cut, through JSON", () => {
    fc.assert(
      fc.property(anyLog, fc.nat(60), (log, cut) => {
        const first = fold(log.slice(0, cut));
        const stored = JSON.parse(JSON.stringify(first)) as RunState;
        const rest = fold(
          log.filter((event) => event.seq > stored.lastSeq),
          stored,
        );
        expect(rest).toEqual(fold(log));
      }),
    );
  });

  it("comes to the same state when events repeat and connections overlap", () => {
    const replays = fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 5 });
    fc.assert(
      fc.property(anyLog, replays, (log, pieces) => {
        let state = initialRunState();
        for (const [from, length] of pieces) {
          // A reader never skips ahead: a piece begins at or before what comes next.
          const begin = Math.min(from, state.lastSeq);
          state = fold(log.slice(begin, begin + length), state);
        }
        expect(fold(log, state)).toEqual(fold(log));
      }),
    );
  });

  it("never changes a state that it was given", () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        let state = initialRunState();
        for (const event of log) {
          const before = JSON.stringify(state);
          const next = foldRunEvent(state, event);
          expect(JSON.stringify(state)).toBe(before);
          state = next;
        }
      }),
    );
  });
});
