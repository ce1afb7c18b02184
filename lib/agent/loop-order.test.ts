import { describe, expect, it } from "vitest";
import type { AssistantMessage } from "../ai/types.ts";
import { gate, resultsOf, runLoop, textOf, textResult, tool, user } from "./testing/harness.ts";
import { call, calls, says, scripted } from "./testing/scripted-stream.ts";
import type { AgentContext } from "./types.ts";

const PRE = "AS TS M(system) M(user)";
const LAST_TURN = "TS MS MU*3 ME(stop) TE(0)";

describe("events", () => {
  it("L-001: each kind has its own fields and no others", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [
        tool("t", async (_id, _args, _signal, onUpdate) => {
          onUpdate({ content: [{ type: "text", text: "half" }] });
          return textResult("done");
        }),
      ],
    });
    const fields = Object.fromEntries(
      run.events.map(({ type, ...payload }) => [type, Object.keys(payload).sort().join(" ")]),
    );
    expect(fields).toEqual({
      agent_start: "",
      turn_start: "",
      message_start: "message",
      message_update: "assistantMessageEvent message",
      message_end: "message",
      tool_execution_start: "args toolCallId toolName",
      tool_execution_update: "args partialResult toolCallId toolName",
      tool_execution_end: "durationMs isError result toolCallId toolName",
      turn_end: "message toolResults",
      agent_end: "messages",
    });
  });

  it("L-005: an answer's update tells the one event of its stream", async () => {
    const run = await runLoop({ script: scripted(["hello"]) });
    const told = run.events.flatMap((event) =>
      event.type === "message_update" ? [event.assistantMessageEvent.type] : [],
    );
    expect(told).toEqual(["text_start", "text_delta", "text_end"]);
  });
});

describe("orders by case", () => {
  it("L-020: a text is a start, updates and an end", async () => {
    const run = await runLoop({ script: scripted(["hello"]) });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(stop) TE(0) AE(2)");
  });

  it("L-020: with tools and no declaration a system message comes first", async () => {
    const run = await runLoop({ script: scripted(["hello"]), tools: [tool("t")] });
    expect(run.order).toBe(`${PRE} MS MU*3 ME(stop) TE(0) AE(3)`);
  });

  it("L-021: a tool call is run and its result leads to the next turn", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [tool("t")],
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE(1) M(result 1) TE(1) ${LAST_TURN} AE(5)`,
    );
  });

  it("L-022: parallel calls end as they finish, results stay in source order", async () => {
    const first = gate();
    const run = await runLoop({
      script: scripted([calls([call("1", "slow"), call("2", "fast")]), "ok"]),
      tools: [
        tool("slow", async () => {
          await first.wait;
          return textResult("slow");
        }),
        tool("fast", async () => textResult("fast")),
      ],
      onEvent: (event) => {
        if (event.type === "tool_execution_end" && event.toolCallId === "2") first.open();
      },
    });
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(toolUse) XS(1) XS(2) XE(2) XE(1) M(result 1) M(result 2) TE(2) ${LAST_TURN} AE(6)`,
    );
  });

  const SEQUENTIAL = `${PRE} MS MU*6 ME(toolUse) XS(1) XE(1) M(result 1) XS(2) XE(2) M(result 2) TE(2) ${LAST_TURN} AE(6)`;

  it("L-023: sequential by config", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "t")]), "ok"]),
      tools: [tool("t")],
      toolExecution: "sequential",
    });
    expect(run.order).toBe(SEQUENTIAL);
  });

  it("L-023: sequential when one of the called tools says so", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "alone")]), "ok"]),
      tools: [tool("t"), tool("alone", undefined, { execution: "sequential" })],
    });
    expect(run.order).toBe(SEQUENTIAL);
  });

  it("L-024: an unknown tool is an error result and the run goes on", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "nope")]), "ok"]),
      tools: [tool("t")],
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE!(1) M(result! 1) TE(1) ${LAST_TURN} AE(5)`,
    );
    expect(resultsOf(run.messages)).toEqual([
      '1!: There is no tool named "nope". Available tools: t.',
    ]);
  });

  it("L-025: invalid arguments reach neither the hook nor the tool", async () => {
    let touched = 0;
    const run = await runLoop({
      script: scripted([
        calls([
          call("1", "t", { count: "many" }),
          { ...call("2", "t"), argumentsError: 'Not JSON: "{"' },
        ]),
        "ok",
      ]),
      tools: [
        tool(
          "t",
          async () => {
            touched += 1;
            return textResult("ran");
          },
          {
            parameters: {
              type: "object",
              properties: { count: { type: "number" }, name: { type: "string" } },
              required: ["name"],
            },
          },
        ),
      ],
      beforeToolCall: () => {
        touched += 1;
        return undefined;
      },
    });
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(toolUse) XS(1) XE!(1) XS(2) XE!(2) M(result! 1) M(result! 2) TE(2) ${LAST_TURN} AE(6)`,
    );
    expect(touched).toBe(0);
    expect(resultsOf(run.messages)).toEqual([
      [
        "1!: The arguments for t do not fit its parameters, so it was not run:",
        "- name: is required",
        '- count: must be number; got "many"',
        'Received: {"count":"many"}',
      ].join("\n"),
      '2!: The arguments for t could not be read: Not JSON: "{"',
    ]);
  });

  it("L-026: a tool that throws gives details {}, one that returns an error keeps its own", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "throws"), call("2", "returns")]), "ok"]),
      tools: [
        tool("throws", async () => {
          throw new Error("disk full");
        }),
        tool("returns", async () =>
          textResult("no such file", { isError: true, details: { code: 2 } }),
        ),
      ],
      toolExecution: "sequential",
    });
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(toolUse) XS(1) XE!(1) M(result! 1) XS(2) XE!(2) M(result! 2) TE(2) ${LAST_TURN} AE(6)`,
    );
    expect(resultsOf(run.messages)).toEqual(["1!: disk full", "2!: no such file"]);
    const details = run.messages.flatMap((m) => (m.role === "toolResult" ? [m.details] : []));
    expect(details).toEqual([{}, { code: 2 }]);
  });

  it("L-027: updates come before the end; those after the tool settled are ignored", async () => {
    let late: (() => void) | undefined;
    const run = await runLoop({
      script: scripted([calls([call("1", "t", { a: 1 })]), "ok"]),
      tools: [
        tool("t", async (_id, _args, _signal, onUpdate) => {
          onUpdate({ content: [{ type: "text", text: "half" }] });
          onUpdate({ details: { percent: 90 } });
          late = () => onUpdate({ details: "late" });
          return textResult("whole");
        }),
      ],
      onEvent: (event) => {
        if (event.type === "tool_execution_end") late?.();
      },
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XU(1) XU(1) XE(1) M(result 1) TE(1) ${LAST_TURN} AE(5)`,
    );
    expect(run.events.find((event) => event.type === "tool_execution_update")).toEqual({
      type: "tool_execution_update",
      toolCallId: "1",
      toolName: "t",
      args: { a: 1 },
      partialResult: { content: [{ type: "text", text: "half" }] },
    });
  });

  it("L-028: an abort in the stream keeps what arrived and runs no tool", async () => {
    const controller = new AbortController();
    let ran = false;
    const run = await runLoop({
      script: scripted([
        calls([call("1", "t")], {
          content: [{ type: "text", text: "I will" }, call("1", "t")],
          stopReason: "aborted",
          errorMessage: "aborted",
          beforeEnd: () => controller.abort(),
        }),
      ]),
      tools: [
        tool("t", async () => {
          ran = true;
          return textResult("");
        }),
      ],
      signal: controller.signal,
    });
    expect(run.order).toBe(`${PRE} MS MU*6 ME(aborted) TE(0) AE(3)`);
    expect(textOf(run.messages.at(-1))).toBe("I will");
    expect(ran).toBe(false);
  });

  it("L-029: after an abort in a tool, calls that were not started get an error result and one closing turn follows", async () => {
    const controller = new AbortController();
    const script = scripted([calls([call("1", "t"), call("2", "t")])]);
    const asked: string[] = [];
    const run = await runLoop({
      script,
      toolExecution: "sequential",
      tools: [
        tool("t", async (_id, _args, signal) => {
          controller.abort();
          signal.throwIfAborted();
          return textResult("never");
        }),
      ],
      beforeToolCall: ({ toolCall }) => {
        asked.push(toolCall.id);
        return undefined;
      },
      signal: controller.signal,
    });
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(toolUse) XS(1) XE!(1) M(result! 1) XS(2) XE!(2) M(result! 2) TE(2) TS MS ME(aborted) TE(0) AE(6)`,
    );
    expect(asked).toEqual(["1"]);
    expect(resultsOf(run.messages)).toEqual([
      "1!: Aborted while it was running. This operation was aborted",
      "2!: Aborted before it ran.",
    ]);
    expect(run.messages.at(-1)).toMatchObject({
      content: [],
      errorMessage: "The run was aborted.",
    });
    expect(script.requests).toHaveLength(1);
  });

  it("L-030: an abort before the first response asks no model", async () => {
    const script = scripted(["never"]);
    const run = await runLoop({ script, tools: [tool("t")], signal: AbortSignal.abort() });
    expect(run.order).toBe(`${PRE} MS ME(aborted) TE(0) AE(3)`);
    expect(script.requests).toHaveLength(0);
  });

  it("L-031: a provider's error ends the run, with or without a start", async () => {
    const failure = { stopReason: "error", errorMessage: "overloaded" } as const;
    const withText = await runLoop({ script: scripted([says("half", failure)]) });
    expect(withText.order).toBe("AS TS M(user) MS MU*3 ME(error) TE(0) AE(2)");
    const bare = await runLoop({ script: scripted([{ ...failure, withoutStart: true }]) });
    expect(bare.order).toBe("AS TS M(user) MS ME(error) TE(0) AE(2)");
  });

  it("L-032: steering after a tool turn comes in the next turn, after every call has run", async () => {
    const steering = [[], [user("also this")]];
    const run = await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "t")]), "ok"]),
      tools: [tool("t")],
      getSteeringMessages: () => steering.shift() ?? [],
    });
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(toolUse) XS(1) XS(2) XE(1) XE(2) M(result 1) M(result 2) TE(2) TS M(user) MS MU*3 ME(stop) TE(0) AE(7)`,
    );
  });

  it("L-033: steering when the model had stopped opens another turn", async () => {
    const steering = [[], [user("and now?")]];
    const run = await runLoop({
      script: scripted(["one", "two"]),
      getSteeringMessages: () => steering.shift() ?? [],
    });
    expect(run.order).toBe(
      "AS TS M(user) MS MU*3 ME(stop) TE(0) TS M(user) MS MU*3 ME(stop) TE(0) AE(4)",
    );
  });

  it("L-034: steering that is queued at the start follows the prompt in the same turn", async () => {
    const steering = [[user("by the way")]];
    const script = scripted(["one"]);
    const run = await runLoop({ script, getSteeringMessages: () => steering.shift() ?? [] });
    expect(run.order).toBe("AS TS M(user) M(user) MS MU*3 ME(stop) TE(0) AE(3)");
    expect(script.requests[0]?.messages.map(textOf)).toEqual(["hi", "by the way"]);
  });

  it("L-035: a follow-up is taken only when the run would stop", async () => {
    const polls: string[] = [];
    const followUps = [[user("next")]];
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "one", "two"]),
      tools: [tool("t")],
      getFollowUpMessages: () => followUps.shift() ?? [],
      onEvent: (event) => {
        if (event.type === "turn_end") polls.push(`left ${followUps.length}`);
      },
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE(1) M(result 1) TE(1) ${LAST_TURN} TS M(user) MS MU*3 ME(stop) TE(0) AE(7)`,
    );
    expect(polls).toEqual(["left 1", "left 1", "left 0"]);
  });

  const ending = (id: string) => tool(id, async () => textResult(id, { terminate: true }));

  it("L-036: when all results terminate there is no further request", async () => {
    const script = scripted([calls([call("1", "end"), call("2", "end")])]);
    const run = await runLoop({ script, tools: [ending("end")] });
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(toolUse) XS(1) XS(2) XE(1) XE(2) M(result 1) M(result 2) TE(2) AE(5)`,
    );
  });

  it("L-036: follow-ups are still polled after terminating results", async () => {
    const followUps = [[user("more")]];
    const run = await runLoop({
      script: scripted([calls([call("1", "end")]), "ok"]),
      tools: [ending("end")],
      getFollowUpMessages: () => followUps.shift() ?? [],
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE(1) M(result 1) TE(1) TS M(user) MS MU*3 ME(stop) TE(0) AE(6)`,
    );
  });

  it("L-037: when only some results terminate the run goes on", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "end"), call("2", "t")]), "ok"]),
      tools: [ending("end"), tool("t")],
    });
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(toolUse) XS(1) XS(2) XE(1) XE(2) M(result 1) M(result 2) TE(2) ${LAST_TURN} AE(6)`,
    );
  });

  it("L-038: calls of an answer that was cut by its length never run", async () => {
    let touched = 0;
    const count = async () => {
      touched += 1;
      return textResult("");
    };
    const run = await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "t")], { stopReason: "length" }), "ok"]),
      tools: [tool("t", count)],
      beforeToolCall: () => {
        touched += 1;
        return undefined;
      },
    });
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(length) XS(1) XE!(1) M(result! 1) XS(2) XE!(2) M(result! 2) TE(2) ${LAST_TURN} AE(6)`,
    );
    expect(touched).toBe(0);
    expect(resultsOf(run.messages)[0]).toMatch(/^1!: This call was not run: .*length limit/);
  });

  it("L-039: a text that was cut by its length ends like a stop", async () => {
    const run = await runLoop({ script: scripted([says("long", { stopReason: "length" })]) });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(length) TE(0) AE(2)");
  });

  it("L-040: finishTurn end ends at once: no queue is polled, no result is answered", async () => {
    let polls = 0;
    const poll = () => {
      polls += 1;
      return [];
    };
    const script = scripted([calls([call("1", "t")])]);
    const run = await runLoop({
      script,
      tools: [tool("t")],
      finishTurn: () => "end",
      getSteeringMessages: poll,
      getFollowUpMessages: poll,
    });
    expect(run.order).toBe(`${PRE} MS MU*3 ME(toolUse) XS(1) XE(1) M(result 1) TE(1) AE(4)`);
    expect(polls).toBe(1);
    expect(script.requests).toHaveLength(1);
  });

  it("L-041: finishTurn continue on a stop makes exactly one more request", async () => {
    const decisions = ["continue", undefined] as const;
    let turn = 0;
    const run = await runLoop({
      script: scripted(["one", "two"]),
      finishTurn: () => decisions[turn++],
    });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(stop) TE(0) TS MS MU*3 ME(stop) TE(0) AE(3)");
  });

  it.each([
    { cause: "tools", script: [calls([call("1", "t")]), "two"], steer: [], follow: [] },
    { cause: "steering", script: ["one", "two"], steer: [[], [user("s")]], follow: [] },
    { cause: "a follow-up", script: ["one", "two"], steer: [], follow: [[user("f")]] },
  ])("L-041: none extra when $cause cause one", async ({ script, steer, follow }) => {
    let turn = 0;
    const model = scripted(script);
    await runLoop({
      script: model,
      tools: [tool("t")],
      finishTurn: () => (turn++ === 0 ? "continue" : undefined),
      getSteeringMessages: () => steer.shift() ?? [],
      getFollowUpMessages: () => follow.shift() ?? [],
    });
    expect(model.requests).toHaveLength(2);
  });

  const IMMEDIATE = `${PRE} MS MU*3 ME(toolUse) XS(1) XE!(1) M(result! 1) TE(1) ${LAST_TURN} AE(5)`;

  it("L-042: beforeToolCall blocks with its reason or a default text", async () => {
    const withReason = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [tool("t")],
      beforeToolCall: () => ({ block: true, reason: "Not on a Sunday." }),
    });
    expect(withReason.order).toBe(IMMEDIATE);
    expect(resultsOf(withReason.messages)).toEqual(["1!: Not on a Sunday."]);
    const without = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [tool("t")],
      beforeToolCall: () => ({ block: true }),
    });
    expect(resultsOf(without.messages)).toEqual(["1!: This call was not allowed."]);
  });

  it("L-043: beforeToolCall that throws fails the call with its message", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [tool("t")],
      beforeToolCall: () => {
        throw new Error("policy broken");
      },
    });
    expect(run.order).toBe(IMMEDIATE);
    expect(resultsOf(run.messages)).toEqual(["1!: policy broken"]);
  });

  it("L-044: afterToolCall that throws replaces the result with its message", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [tool("t")],
      afterToolCall: () => {
        throw new Error("redaction broken");
      },
    });
    expect(run.order).toBe(IMMEDIATE);
    expect(resultsOf(run.messages)).toEqual(["1!: redaction broken"]);
  });

  it("L-045: an immediate failure ends before later calls start", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "nope"), call("3", "t")]), "ok"]),
      tools: [tool("t")],
    });
    expect(run.order).toBe(
      `${PRE} MS MU*9 ME(toolUse) XS(1) XS(2) XE!(2) XS(3) XE(1) XE(3) M(result 1) M(result! 2) M(result 3) TE(3) ${LAST_TURN} AE(7)`,
    );
  });

  it("L-046: a deferred answer ends the run; the queues stay as they are", async () => {
    let polls = 0;
    const run = await runLoop({
      script: scripted([{ content: [], stopReason: "deferred" }]),
      getFollowUpMessages: () => {
        polls += 1;
        return [user("x")];
      },
    });
    expect(run.order).toBe("AS TS M(user) MS ME(deferred) TE(0) AE(2)");
    expect(polls).toBe(0);
  });

  it("L-047: a call is run whatever the stop reason says", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")], { stopReason: "stop" }), "ok"]),
      tools: [tool("t")],
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(stop) XS(1) XE(1) M(result 1) TE(1) ${LAST_TURN} AE(5)`,
    );
  });
});

describe("events", () => {
  it("L-006: updates carry a shallow copy of the live partial, the end the final object", async () => {
    const run = await runLoop({ script: scripted(["hello"]) });
    const updates = run.events.flatMap((event) => (event.type === "message_update" ? [event] : []));
    for (const { message, assistantMessageEvent } of updates) {
      const partial =
        "partial" in assistantMessageEvent ? assistantMessageEvent.partial : undefined;
      expect(message).not.toBe(partial);
      expect((message as AssistantMessage).content).toBe(partial?.content);
    }
    expect(updates).toHaveLength(3);
    const end = run.events.findLast((event) => event.type === "message_end");
    expect(end?.message).toBe(run.messages[1]);
  });

  it("L-007: the context's last message is the one live partial, then the final message", async () => {
    let context: AgentContext = { messages: [], tools: [] };
    const last: { type: string; isLive: boolean; count: number }[] = [];
    const run = await runLoop({
      script: scripted(["hello"]),
      prepareRequest: (setup) => {
        context = setup.context;
        return undefined;
      },
      onEvent: (event) => {
        if (event.type !== "message_update" && event.type !== "turn_end") return;
        const shown = event.message as AssistantMessage;
        const held = context.messages.at(-1) as AssistantMessage;
        const isLive = held.content === shown.content;
        last.push({ type: event.type, isLive, count: context.messages.length });
      },
    });
    expect(last).toEqual([
      { type: "message_update", isLive: true, count: 2 },
      { type: "message_update", isLive: true, count: 2 },
      { type: "message_update", isLive: true, count: 2 },
      { type: "turn_end", isLive: true, count: 2 },
    ]);
    expect(context.messages.at(-1)).toBe(run.messages.at(-1));
  });

  it("L-008: a stream without a start is a start and an end with the final message", async () => {
    const run = await runLoop({ script: scripted([says("hello", { withoutStart: true })]) });
    expect(run.order).toBe("AS TS M(user) MS ME(stop) TE(0) AE(2)");
    const [start, end] = run.events.filter(
      (event) => "message" in event && event.message === run.messages[1],
    );
    expect([start?.type, end?.type]).toEqual(["message_start", "message_end"]);
  });

  it("L-009: without a terminal event the stream's result decides", async () => {
    const run = await runLoop({ script: scripted([says("hello", { ending: "none" })]) });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(stop) TE(0) AE(2)");
  });

  it("L-009: a stream that breaks keeps what had arrived", async () => {
    const run = await runLoop({ script: scripted([says("hello", { ending: "throws" })]) });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(error) TE(0) AE(2)");
    expect(run.messages[1]).toMatchObject({
      content: [{ type: "text", text: "hello" }],
      errorMessage: "socket closed",
    });
  });

  it("L-010: agent_end holds everything of this run in order; continue only what is new", async () => {
    const script = [calls([call("1", "t")]), "ok"];
    const run = await runLoop({ script: scripted(script), tools: [tool("t")] });
    const end = run.events.at(-1);
    expect(end?.type === "agent_end" && end.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    const from = run.messages.slice(0, 2);
    const again = await runLoop({ script: scripted(script), tools: [tool("t")], from });
    expect(again.messages.map((message) => message.role)).toEqual([
      "assistant",
      "toolResult",
      "assistant",
    ]);
  });

  it("L-011: a slow listener delays the loop and never breaks the order", async () => {
    const log: string[] = [];
    await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "t")]), "ok"]),
      tools: [tool("t")],
      onEvent: async (event) => {
        log.push(`> ${event.type}`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`< ${event.type}`);
      },
    });
    const overlaps = log.filter((line, index) => index % 2 === 0 && !line.startsWith(">"));
    expect(overlaps).toEqual([]);
    expect(log.at(-1)).toBe("< agent_end");
  });

  it("L-012: the final message says which thinking level was asked for", async () => {
    const high = await runLoop({ script: scripted(["a"]), thinkingLevel: "high" });
    expect(high.messages[1]).toMatchObject({ thinkingLevel: "high" });
    const off = await runLoop({ script: scripted(["a"]) });
    expect(off.messages[1]).toMatchObject({ thinkingLevel: "off" });
  });

  it("L-081: continue asks the model directly", async () => {
    const run = await runLoop({ script: scripted(["hello"]), from: [user("hi")] });
    expect(run.order).toBe("AS TS MS MU*3 ME(stop) TE(0) AE(1)");
  });

  it("L-081: a transcript that declares its tools gets no system message", async () => {
    const first = await runLoop({ script: scripted(["hello"]), tools: [tool("t")] });
    const run = await runLoop({
      script: scripted(["again"]),
      tools: [tool("t")],
      from: [...first.messages, user("and?")],
    });
    expect(run.order).toBe("AS TS MS MU*3 ME(stop) TE(0) AE(1)");
  });
});
