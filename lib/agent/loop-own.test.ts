import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AssistantMessageEventStream } from "../ai/event-stream.ts";
import type { AssistantMessage } from "../ai/types.ts";
import { abortedMessage } from "./closing-message.ts";
import { agentLoop, runAgentLoopContinue } from "./loop.ts";
import { eventNames } from "./testing/event-names.ts";
import { gate, resultsOf, runLoop, textOf, textResult, tool, user } from "./testing/harness.ts";
import { call, calls, says, scripted, testModel } from "./testing/scripted-stream.ts";
import type { AgentEvent, AgentMessage, AgentTool, ToolUpdate } from "./types.ts";

const PRE = "AS TS M(system) M(user)";
const boom = (): never => {
  throw new Error("hook broken");
};
const errorOf = (message: AgentMessage | undefined) =>
  message?.role === "assistant"
    ? `${message.stopReason} ${message.diagnostics?.at(-1)?.details?.class}: ${message.errorMessage}`
    : undefined;

describe("nothing hangs and nothing is lost", () => {
  it("L-120: the stream of a run whose hook throws ends", async () => {
    const stream = agentLoop(
      [user("hi")],
      { messages: [], tools: [] },
      { model: testModel, streamFn: scripted(["ok"]).streamFn, transformContext: boom },
    );
    const events: AgentEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(eventNames(events)).toBe("AS TS M(user) MS ME(error) TE(0) AE(2)");
    expect((await stream.result()).map((message) => message.role)).toEqual(["user", "assistant"]);
  });

  it("L-121: an abort after a tool batch consumes no steering and reports it", async () => {
    const controller = new AbortController();
    const queue: AgentMessage[] = [];
    const run = await runLoop({
      script: scripted([calls([call("1", "t")])]),
      tools: [
        tool("t", async () => {
          queue.push(user("wait"));
          controller.abort();
          return textResult("done");
        }),
      ],
      getSteeringMessages: () => queue.splice(0),
      peekQueued: () => [...queue],
      signal: controller.signal,
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE(1) M(result 1) TE(1) TS MS ME(aborted) TE(0) AE(5)`,
    );
    expect(queue).toHaveLength(1);
    const end = run.events.at(-1);
    expect(end?.type === "agent_end" && end.queued?.map(textOf)).toEqual(["wait"]);
  });

  it("L-122: a sink that always throws changes nothing of the run", async () => {
    const script = [calls([call("1", "t")]), "ok"];
    const quiet = await runLoop({ script: scripted(script), tools: [tool("t")] });
    const throwing = await runLoop({
      script: scripted(script),
      tools: [tool("t")],
      onEvent: () => {
        throw new Error("ui bug");
      },
    });
    expect(throwing.order).toBe(quiet.order);
    expect(errorOf(throwing.messages.at(-1))).toBe("stop undefined: undefined");
  });

  it("L-123: a sink that rejects an update loses neither the result nor the rest", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [
        tool("t", async (_id, _args, _signal, onUpdate) => {
          onUpdate({ details: 1 });
          return textResult("kept");
        }),
      ],
      onEvent: async (event) => {
        if (event.type === "tool_execution_update") throw new Error("ui bug");
      },
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XU(1) XE(1) M(result 1) TE(1) TS MS MU*3 ME(stop) TE(0) AE(5)`,
    );
    expect(resultsOf(run.messages)).toEqual(["1: kept"]);
  });

  it("L-125 L-126: a failure at the very start still tells the run, the turn and every message", async () => {
    const run = await runLoop({ script: scripted([]), getSteeringMessages: boom });
    expect(run.order).toBe("AS TS M(user) MS ME(error) TE(0) AE(2)");
    expect(textOf(run.messages[0])).toBe("hi");
    expect(errorOf(run.messages[1])).toBe("error unknown: hook broken");
  });

  it.each([
    ["transformContext", "AS TS M(system) M(user) MS ME(error) TE(0) AE(3)"],
    ["convertToLlm", "AS TS M(system) M(user) MS ME(error) TE(0) AE(3)"],
    ["getApiKey", "AS TS M(system) M(user) MS ME(error) TE(0) AE(3)"],
    ["prepareRequest", "AS TS M(system) M(user) MS ME(error) TE(0) AE(3)"],
    [
      "prepareNextTurn",
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE(1) M(result 1) TE(1) TS MS ME(error) TE(0) AE(5)`,
    ],
    [
      "finishTurn",
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE(1) M(result 1) TE(1) TS MS ME(error) TE(0) AE(5)`,
    ],
  ])("L-132: %s that throws ends the run with an error turn", async (hook, order) => {
    for (const broken of [boom, () => Promise.reject(new Error("hook broken"))]) {
      const run = await runLoop({
        script: scripted([calls([call("1", "t")])]),
        tools: [tool("t")],
        [hook]: broken,
      });
      expect(run.order).toBe(order);
      expect(errorOf(run.messages.at(-1))).toBe("error unknown: hook broken");
    }
  });

  it("L-132: a stream function that throws is an error answer", async () => {
    const run = await runLoop({ script: { requests: [], streamFn: boom } });
    expect(run.order).toBe("AS TS M(user) MS ME(error) TE(0) AE(2)");
    expect(errorOf(run.messages[1])).toBe("error unknown: hook broken");
  });

  it("L-132: steering that was taken is not lost to a hook that throws", async () => {
    const steering = [[], [user("remember me")]];
    const run = await runLoop({
      script: scripted(["one"]),
      getSteeringMessages: () => steering.shift() ?? [],
      prepareNextTurn: boom,
    });
    expect(run.order).toBe(
      "AS TS M(user) MS MU*3 ME(stop) TE(0) TS M(user) MS ME(error) TE(0) AE(4)",
    );
  });
});

describe("limits", () => {
  it("L-130: the limit of turns ends the run, and continue goes on from there", async () => {
    const endless = scripted((request) => calls([call(`c${request}`, "t", { request })]));
    const run = await runLoop({ script: endless, tools: [tool("t")], maxTurns: 2 });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(c0) XE(c0) M(result c0) TE(1) TS MS MU*3 ME(toolUse) XS(c1) XE(c1) M(result c1) TE(1) TS MS ME(error) TE(0) AE(7)`,
    );
    expect(errorOf(run.messages.at(-1))).toBe(
      "error turn-limit: Stopped after 2 model requests in one run. Nothing is lost: continue, or say how to go on.",
    );
    const again = await runLoop({
      script: scripted(["ok"]),
      tools: [tool("t")],
      from: run.messages,
    });
    expect(again.order).toBe("AS TS MS MU*3 ME(stop) TE(0) AE(1)");
  });

  it("L-130: an answer that ends on the last turn is no limit", async () => {
    const run = await runLoop({ script: scripted(["ok"]), maxTurns: 1 });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(stop) TE(0) AE(2)");
  });

  it("L-130: what is queued at the limit stays queued", async () => {
    const queue: AgentMessage[] = [];
    const run = await runLoop({
      script: scripted(["ok"]),
      maxTurns: 1,
      getSteeringMessages: () => queue.splice(0),
      peekQueued: () => queue,
      finishTurn: () => {
        queue.push(user("more"));
        return undefined;
      },
    });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(stop) TE(0) TS MS ME(error) TE(0) AE(3)");
    expect(queue).toHaveLength(1);
  });

  it("L-137: a paused turn goes on by itself, at most three times", async () => {
    const pause = says("…", { endTurn: false });
    const once = scripted([pause, "done"]);
    const run = await runLoop({ script: once });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(stop) TE(0) TS MS MU*3 ME(stop) TE(0) AE(3)");
    expect(once.requests[1]?.messages.at(-1)).toMatchObject({ role: "assistant", endTurn: false });
    const always = scripted(() => pause);
    await runLoop({ script: always });
    expect(always.requests).toHaveLength(4);
  });

  it("L-137: what a person adds waits until the vendor has finished its turn", async () => {
    const script = scripted([says("…", { endTurn: false }), "done", "sure"]);
    const steering = [[], [user("also")]];
    await runLoop({ script, getSteeringMessages: () => steering.shift() ?? [] });
    expect(script.requests.map(({ messages }) => messages.at(-1)?.role)).toEqual([
      "user",
      "assistant",
      "user",
    ]);
  });
});

describe("an abort ends within a bound", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const deaf = (started: () => void, late: Promise<unknown>): AgentTool =>
    tool("deaf", async () => {
      started();
      await late;
      return textResult("late");
    });

  it("L-124 L-131: a tool that ignores the signal is given up after the grace time; its late result is dropped", async () => {
    const controller = new AbortController();
    const started = gate();
    const late = gate();
    const script = scripted([calls([call("1", "deaf")])]);
    const events: AgentEvent[] = [];
    const running = runLoop({
      script,
      tools: [deaf(started.open, late.wait)],
      abortGraceMs: 800,
      signal: controller.signal,
      onEvent: (event) => void events.push(event),
    });
    await started.wait;
    controller.abort();
    await vi.advanceTimersByTimeAsync(799);
    expect(events.at(-1)?.type).toBe("tool_execution_start");
    await vi.advanceTimersByTimeAsync(1);
    const run = await running;
    late.open();
    await vi.runAllTimersAsync();
    expect(eventNames(events)).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE!(1) M(result! 1) TE(1) TS MS ME(aborted) TE(0) AE(5)`,
    );
    expect(resultsOf(run.messages)).toEqual([
      "1!: Aborted while it was running. It did not stop when told to, so whether it took effect is not known.",
    ]);
    expect(run.messages[3]).toMatchObject({ details: { outcome: "aborted" } });
    expect(script.requests).toHaveLength(1);
  });

  it("L-131: each of several calls sees the signal and gets an end and a result", async () => {
    const controller = new AbortController();
    const started = gate();
    const heard: string[] = [];
    const running = runLoop({
      script: scripted([calls([call("1", "heeds"), call("2", "deaf"), call("3", "heeds")])]),
      tools: [
        deaf(started.open, new Promise(() => {})),
        tool(
          "heeds",
          (id, _args, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => {
                heard.push(id);
                reject(signal.reason);
              });
            }),
        ),
      ],
      signal: controller.signal,
    });
    await started.wait;
    controller.abort();
    await vi.runAllTimersAsync();
    const run = await running;
    expect(heard).toEqual(["1", "3"]);
    expect(run.order).toBe(
      `${PRE} MS MU*9 ME(toolUse) XS(1) XS(2) XS(3) XE!(1) XE!(3) XE!(2) M(result! 1) M(result! 2) M(result! 3) TE(3) TS MS ME(aborted) TE(0) AE(7)`,
    );
  });

  it("however many calls run, the signal has one listener at a time and none is left behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    let most = 0;
    const [add, remove] = [
      signal.addEventListener.bind(signal),
      signal.removeEventListener.bind(signal),
    ];
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      most = Math.max(most, listeners);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    const many = Array.from({ length: 20 }, (_, index) => call(`c${index}`, "t"));
    await runLoop({ script: scripted([calls(many), "ok"]), tools: [tool("t")], signal });
    expect([most, listeners]).toEqual([1, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("L-138: after an abort inside a tool only the closing turn follows", async () => {
    const controller = new AbortController();
    const queue = [user("steer")];
    const followUps = [user("follow")];
    const run = await runLoop({
      script: scripted([calls([call("1", "t")])]),
      tools: [
        tool("t", async () => {
          controller.abort();
          return textResult("done");
        }),
      ],
      getSteeringMessages: () => (controller.signal.aborted ? queue.splice(0) : []),
      getFollowUpMessages: () => followUps.splice(0),
      prepareNextTurn: boom,
      signal: controller.signal,
    });
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XE(1) M(result 1) TE(1) TS MS ME(aborted) TE(0) AE(5)`,
    );
    expect([queue.length, followUps.length]).toEqual([1, 1]);
  });

  it("a stream that ignores the signal is given up too, and keeps what it brought", async () => {
    const controller = new AbortController();
    const running = runLoop({
      script: scripted([says("half of", { ending: "never", beforeEnd: () => controller.abort() })]),
      signal: controller.signal,
    });
    await vi.runAllTimersAsync();
    const run = await running;
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(aborted) TE(0) AE(2)");
    expect(textOf(run.messages[1])).toBe("half of");
  });

  it("what such a stream brings later changes neither the message nor the events", async () => {
    const controller = new AbortController();
    const stream = new AssistantMessageEventStream();
    const content: { type: "text"; text: string }[] = [{ type: "text", text: "half" }];
    const partial: AssistantMessage = {
      ...abortedMessage(testModel, "off"),
      content,
      stopReason: "pending",
    };
    stream.push({ type: "start", partial });
    const running = runLoop({
      script: { requests: [], streamFn: () => stream },
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === "message_start" && event.message.role === "assistant")
          controller.abort();
      },
    });
    await vi.runAllTimersAsync();
    const run = await running;
    content.push({ type: "text", text: " and more" });
    stream.push({ type: "text_delta", contentIndex: 1, delta: " and more", partial });
    await vi.runAllTimersAsync();
    expect(eventNames(run.events)).toBe("AS TS M(user) MS ME(aborted) TE(0) AE(2)");
    expect(textOf(run.messages[1])).toBe("half");
  });

  it("L-131: a run that is aborted before it starts takes nothing from the queues", async () => {
    const queue = [user("wait")];
    const run = await runLoop({
      script: scripted([]),
      getSteeringMessages: () => queue.splice(0),
      signal: AbortSignal.abort(),
    });
    expect(run.order).toBe("AS TS M(user) MS ME(aborted) TE(0) AE(2)");
    expect(queue).toHaveLength(1);
  });

  it("L-029 L-060: a call that was ready is not started when the abort comes before it", async () => {
    const controller = new AbortController();
    const run = await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "t")])]),
      tools: [tool("t")],
      beforeToolCall: ({ toolCall }) => {
        if (toolCall.id === "2") controller.abort();
        return undefined;
      },
      signal: controller.signal,
    });
    expect(resultsOf(run.messages)).toEqual([
      "1!: Aborted before it ran.",
      "2!: Aborted before it ran.",
    ]);
  });

  it.each(["transformContext", "getApiKey", "prepareRequest", "prepareNextTurn"])(
    "a %s that never answers ends with the abort",
    async (hook) => {
      const controller = new AbortController();
      const reached = gate();
      const running = runLoop({
        script: scripted([calls([call("1", "t")])]),
        tools: [tool("t")],
        [hook]: () => {
          reached.open();
          return new Promise(() => {});
        },
        signal: controller.signal,
      });
      await reached.wait;
      controller.abort();
      const run = await running;
      expect(run.order).toMatch(/ MS ME\(aborted\) TE\(0\) AE\(\d\)$/);
    },
  );

  it.each(["afterToolCall", "finishTurn"])(
    "a %s that never answers ends with the grace time",
    async (hook) => {
      const controller = new AbortController();
      const running = runLoop({
        script: scripted([calls([call("1", "t")])]),
        tools: [tool("t")],
        [hook]: () => {
          controller.abort();
          return new Promise(() => {});
        },
        signal: controller.signal,
      });
      await vi.runAllTimersAsync();
      const run = await running;
      expect(run.order).toMatch(/TE\(1\) TS MS ME\(aborted\) TE\(0\) AE\(5\)$/);
    },
  );

  it("a tool's own time limit ends it, and the run goes on", async () => {
    const running = runLoop({
      script: scripted([calls([call("1", "deaf")]), "ok"]),
      tools: [{ ...deaf(() => {}, new Promise(() => {})), timeoutMs: 3_000 }],
    });
    await vi.runAllTimersAsync();
    const run = await running;
    expect(resultsOf(run.messages)).toEqual([
      "1!: The tool ran longer than 3 s. It did not stop when told to, so whether it took effect is not known.",
    ]);
    expect(textOf(run.messages.at(-1))).toBe("ok");
  });

  it("L-134: a tool may wait without a limit", async () => {
    const answer = gate<string>();
    const started = gate();
    const running = runLoop({
      script: scripted([calls([call("1", "browser")]), "ok"]),
      tools: [
        tool(
          "browser",
          async () => {
            started.open();
            return textResult(await answer.wait);
          },
          { timeoutMs: 0 },
        ),
      ],
    });
    await started.wait;
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    answer.open("from the page");
    expect(resultsOf((await running).messages)).toEqual(["1: from the page"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("L-133: an approval may take as long as it likes, is an event, and then the call runs", async () => {
    const decision = gate();
    const asked = gate();
    const running = runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [tool("t")],
      beforeToolCall: async (_call, _signal, onUpdate) => {
        onUpdate({ state: "awaiting-approval" });
        asked.open();
        await decision.wait;
        return undefined;
      },
    });
    await asked.wait;
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    decision.open();
    const run = await running;
    expect(run.order).toBe(
      `${PRE} MS MU*3 ME(toolUse) XS(1) XU(1) XE(1) M(result 1) TE(1) TS MS MU*3 ME(stop) TE(0) AE(5)`,
    );
    expect(run.events.find((event) => event.type === "tool_execution_update")).toMatchObject({
      toolCallId: "1",
      partialResult: { state: "awaiting-approval" },
    });
  });

  it("L-027: updates count only until the tool has settled, and a hook's only until the call has ended", async () => {
    const kept: { tool?: ToolUpdate; hook?: ToolUpdate } = {};
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [
        tool("t", async (_id, _args, _signal, onUpdate) => {
          kept.tool = onUpdate;
          return textResult("");
        }),
      ],
      beforeToolCall: (_call, _signal, onUpdate) => {
        kept.hook = onUpdate;
        return undefined;
      },
      afterToolCall: () => {
        kept.tool?.({ details: "too late" });
        return undefined;
      },
      onEvent: (event) => {
        if (event.type === "turn_end") kept.hook?.({ details: "too late" });
      },
    });
    expect(run.order).not.toContain("XU");
  });

  it("L-133: an approval ends on abort", async () => {
    const controller = new AbortController();
    const asked = gate();
    const running = runLoop({
      script: scripted([calls([call("1", "t"), call("2", "t")])]),
      tools: [tool("t")],
      beforeToolCall: () => {
        asked.open();
        return new Promise(() => {});
      },
      signal: controller.signal,
    });
    await asked.wait;
    controller.abort();
    const run = await running;
    expect(run.order).toBe(
      `${PRE} MS MU*6 ME(toolUse) XS(1) XE!(1) XS(2) XE!(2) M(result! 1) M(result! 2) TE(2) TS MS ME(aborted) TE(0) AE(6)`,
    );
    expect(resultsOf(run.messages)).toEqual([
      "1!: Aborted before it ran.",
      "2!: Aborted before it ran.",
    ]);
  });
});

describe("answers that are not in order", () => {
  it("a nameless call is dropped; with nothing left to run the answer is an error", async () => {
    const run = await runLoop({
      script: scripted([calls([{ ...call("1", ""), arguments: {} }])]),
      tools: [tool("t")],
    });
    expect(run.order).toBe(`${PRE} MS MU*3 ME(error) TE(0) AE(3)`);
    expect(run.messages[2]).toMatchObject({ content: [], stopReason: "error" });
  });

  it("a nameless call beside a good one is dropped and the good one runs", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", " "), call("2", "t")]), "ok"]),
      tools: [tool("t")],
    });
    expect(resultsOf(run.messages)).toEqual(["2: t done"]);
  });

  it("calls without an id or with the same one get ids of their own", async () => {
    const run = await runLoop({
      script: scripted([calls([call("", "t"), call("same", "t"), call("same", "t")]), "ok"]),
      tools: [tool("t")],
    });
    const answer = run.messages[2];
    const ids =
      answer?.role === "assistant" ? answer.content.map((block) => "id" in block && block.id) : [];
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain("");
    expect(ids[1]).toBe("same");
    expect(run.messages.flatMap((m) => (m.role === "toolResult" ? [m.toolCallId] : []))).toEqual(
      ids,
    );
  });

  it("a message that claims a call and holds none is an error, not a silent end", async () => {
    const run = await runLoop({ script: scripted([says("calling…", { stopReason: "toolUse" })]) });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(error) TE(0) AE(2)");
    expect(textOf(run.messages[1])).toBe("calling…");
  });

  it("an answer that is still pending at its end is an error", async () => {
    const run = await runLoop({ script: scripted([says("half", { stopReason: "pending" })]) });
    expect(errorOf(run.messages[1])).toBe(
      "error unknown: The stream ended before the answer was finished.",
    );
  });

  it("a failed answer runs none of its calls", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")], { stopReason: "error", errorMessage: "cut" })]),
      tools: [tool("t", boom)],
    });
    expect(run.order).toBe(`${PRE} MS MU*3 ME(error) TE(0) AE(3)`);
  });
});

it("an abort while nothing is left to do adds nothing to a finished answer", async () => {
  const controller = new AbortController();
  const messages = await runAgentLoopContinue(
    { messages: [user("hi")], tools: [] },
    { model: testModel, streamFn: scripted(["done"]).streamFn },
    (event) => {
      if (event.type === "turn_end") controller.abort();
    },
    controller.signal,
  );
  expect(messages.map(errorOf)).toEqual(["stop undefined: undefined"]);
});
