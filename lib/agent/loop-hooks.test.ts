import { describe, expect, it } from "vitest";
import type { SystemMessage, Tool } from "../ai/types.ts";
import { agentLoopContinue, runAgentLoopContinue } from "./loop.ts";
import { resultsOf, runLoop, textOf, textResult, tool, user } from "./testing/harness.ts";
import { call, calls, says, scripted, testModel } from "./testing/scripted-stream.ts";
import type { AgentContext, CustomMessage } from "./types.ts";

const note: CustomMessage = { role: "custom", kind: "note", data: "mine", timestamp: 1 };

describe("hooks of a request", () => {
  it("convertToLlm: an app's own messages stay in the transcript and reach no model", async () => {
    const script = scripted(["ok"]);
    const run = await runLoop({ script, prompts: [note, user("hi")] });
    expect(run.order).toBe("AS TS M(custom) M(user) MS MU*3 ME(stop) TE(0) AE(3)");
    expect(script.requests[0]?.messages.map((message) => message.role)).toEqual(["user"]);
  });

  it("convertToLlm: a conversion of one's own is used", async () => {
    const script = scripted(["ok"]);
    await runLoop({
      script,
      prompts: [note],
      convertToLlm: (messages) =>
        messages.flatMap((message) =>
          message.role === "custom" ? [user(`note: ${String(message.data)}`)] : [],
        ),
    });
    expect(script.requests[0]?.messages.map(textOf)).toEqual(["note: mine"]);
  });

  it("transformContext comes before convertToLlm, for this request only", async () => {
    const script = scripted([calls([call("1", "t")]), "ok"]);
    const given: number[] = [];
    const run = await runLoop({
      script,
      tools: [tool("t")],
      transformContext: (messages) => {
        given.push(messages.length);
        return messages.slice(-1);
      },
    });
    expect(given).toEqual([2, 4]);
    expect(script.requests.map((request) => request.messages.length)).toEqual([1, 1]);
    expect(run.messages).toHaveLength(5);
  });

  it("getApiKey wins over the config's key, which stands in for it", async () => {
    const keys = ["short-lived", undefined];
    const script = scripted([calls([call("1", "t")]), "ok"]);
    const providers: string[] = [];
    await runLoop({
      script,
      tools: [tool("t")],
      apiKey: "fixed",
      getApiKey: (provider) => {
        providers.push(provider);
        return keys.shift();
      },
    });
    expect(script.requests.map((request) => request.options.apiKey)).toEqual([
      "short-lived",
      "fixed",
    ]);
    expect(providers).toEqual(["test", "test"]);
  });

  it("L-067: a request gets stream options only", async () => {
    const script = scripted(["ok"]);
    await runLoop({
      script,
      thinkingLevel: "low",
      streamOptions: { temperature: 0.5, sessionId: "s" },
      apiKey: "k",
      finishTurn: () => undefined,
    });
    const { signal, ...options } = script.requests[0]?.options ?? {};
    expect(options).toEqual({ temperature: 0.5, sessionId: "s", apiKey: "k", reasoning: "low" });
    expect(signal).toBeInstanceOf(AbortSignal);
  });

  it("L-068: a promise of a stream is fine", async () => {
    const script = scripted(["ok"]);
    const run = await runLoop({
      script,
      streamFn: async (model, context, options) => script.streamFn(model, context, options),
    });
    expect(run.order).toBe("AS TS M(user) MS MU*3 ME(stop) TE(0) AE(2)");
  });

  it("prepareRequest sees every request and what it replaces stays", async () => {
    const script = scripted([calls([call("1", "t")]), "ok"]);
    const other = { ...testModel, id: "other" };
    const seen: string[] = [];
    await runLoop({
      script,
      tools: [tool("t")],
      prepareRequest: ({ model, thinkingLevel, context }) => {
        seen.push(`${model.id} ${thinkingLevel} ${context.messages.length}`);
        return seen.length === 1 ? { model: other, thinkingLevel: "high" } : undefined;
      },
    });
    expect(seen).toEqual(["scripted-1 off 2", "other high 4"]);
    expect(script.requests.map(({ model, options }) => [model.id, options.reasoning])).toEqual([
      ["other", "high"],
      ["other", "high"],
    ]);
  });

  it("prepareNextTurn runs before each turn but the first; its messages come before steering", async () => {
    const script = scripted([calls([call("1", "t")]), "ok"]);
    const steering = [[], [user("steer")]];
    const log: string[] = [];
    const run = await runLoop({
      script,
      tools: [tool("t")],
      getSteeringMessages: () => steering.shift() ?? [],
      prepareNextTurn: ({ toolResults }) => {
        log.push(`prepare ${toolResults.length}`);
        return { messages: [user("reminder")], thinkingLevel: "off", model: testModel };
      },
      onEvent: (event) => {
        if (event.type === "turn_start" || event.type === "turn_end") log.push(event.type);
      },
    });
    expect(log).toEqual(["turn_start", "turn_end", "prepare 1", "turn_start", "turn_end"]);
    expect(script.requests[1]?.messages.slice(-2).map(textOf)).toEqual(["reminder", "steer"]);
    expect(run.messages).toHaveLength(7);
  });

  it("getSteeringMessages is asked once more after prepareNextTurn if it had nothing", async () => {
    const script = scripted([calls([call("1", "t")]), "ok"]);
    let typed: ReturnType<typeof user>[] = [];
    await runLoop({
      script,
      tools: [tool("t")],
      getSteeringMessages: () => {
        const taken = typed;
        typed = [];
        return taken;
      },
      prepareNextTurn: () => {
        typed.push(user("just now"));
        return undefined;
      },
    });
    expect(script.requests[1]?.messages.map(textOf).at(-1)).toBe("just now");
  });

  it("finishTurn is told of every turn, before its end and also of a failed one", async () => {
    const log: string[] = [];
    await runLoop({
      script: scripted([calls([call("1", "t")]), says("x", { stopReason: "error" })]),
      tools: [tool("t")],
      finishTurn: ({ stopReason, toolResults, context }) => {
        log.push(`finish ${stopReason} ${toolResults.length} ${context.messages.length}`);
        return "continue";
      },
      onEvent: (event) => {
        if (event.type === "turn_end") log.push("turn_end");
      },
    });
    expect(log).toEqual(["finish toolUse 1 4", "turn_end", "finish error 0 5", "turn_end"]);
  });
});

describe("hooks of a tool call", () => {
  const strict = {
    parameters: {
      type: "object",
      properties: { count: { type: "number" } },
      required: ["count"],
    },
  };

  it("L-060: the steps of a call, in their order", async () => {
    const log: string[] = [];
    await runLoop({
      script: scripted([calls([call("1", "t", { n: "5" })]), "ok"]),
      tools: [
        tool(
          "t",
          async (id, args) => {
            log.push(`execute ${id} ${JSON.stringify(args)}`);
            return textResult("done");
          },
          {
            ...strict,
            prepareArguments: (args) => {
              log.push(`prepare ${JSON.stringify(args)}`);
              return { count: args.n };
            },
          },
        ),
      ],
      beforeToolCall: ({ args, toolCall }) => {
        log.push(`before ${JSON.stringify(args)} raw ${JSON.stringify(toolCall.arguments)}`);
        return undefined;
      },
      afterToolCall: ({ args, result, isError }) => {
        log.push(`after ${JSON.stringify(args)} ${textOf({ ...user(""), ...result })} ${isError}`);
        return undefined;
      },
      onEvent: (event) => {
        if (event.type.startsWith("tool_execution")) log.push(event.type);
      },
    });
    expect(log).toEqual([
      "tool_execution_start",
      'prepare {"n":"5"}',
      'before {"count":5} raw {"n":"5"}',
      'execute 1 {"count":5}',
      'after {"count":5} done false',
      "tool_execution_end",
    ]);
  });

  it("L-061: execution starts only after the last call is prepared", async () => {
    const log: string[] = [];
    await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "t")]), "ok"]),
      tools: [
        tool("t", async (id) => {
          log.push(`execute ${id}`);
          return textResult("");
        }),
      ],
      beforeToolCall: async ({ toolCall }) => {
        log.push(`ask ${toolCall.id}`);
        await Promise.resolve();
        log.push(`allow ${toolCall.id}`);
        return undefined;
      },
    });
    expect(log).toEqual(["ask 1", "allow 1", "ask 2", "allow 2", "execute 1", "execute 2"]);
  });

  it("L-062: the transcript keeps the model's raw arguments", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t", { count: "5" })]), "ok"]),
      tools: [
        tool("t", undefined, {
          ...strict,
          prepareArguments: (args) => {
            args.count = "6";
            return args;
          },
        }),
      ],
      beforeToolCall: ({ args }) => {
        args.count = 7;
        return undefined;
      },
    });
    const answer = run.messages[2];
    expect(answer?.role === "assistant" && answer.content).toEqual([
      call("1", "t", { count: "5" }),
    ]);
  });

  it("L-063: a blocked call may end the run", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")])]),
      tools: [tool("t")],
      beforeToolCall: () => ({ block: true, terminate: true }),
    });
    expect(run.order).toBe(
      "AS TS M(system) M(user) MS MU*3 ME(toolUse) XS(1) XE!(1) M(result! 1) TE(1) AE(4)",
    );
  });

  it("L-064: usage goes into the result's message; structuredContent and terminate do not", async () => {
    const usage = {
      input: 1,
      output: 2,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 3,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    };
    const run = await runLoop({
      script: scripted([calls([call("1", "t")])]),
      tools: [
        tool("t", async () =>
          textResult("x", { usage, structuredContent: { a: 1 }, terminate: true, details: "d" }),
        ),
      ],
    });
    const { durationMs, timestamp, ...message } = run.messages[3] as never as Record<
      string,
      unknown
    >;
    expect(message).toEqual({
      role: "toolResult",
      toolCallId: "1",
      toolName: "t",
      content: [{ type: "text", text: "x" }],
      details: "d",
      usage,
      isError: false,
    });
    expect([typeof durationMs, typeof timestamp]).toEqual(["number", "number"]);
  });

  it("L-065: there is a duration only where a tool ran", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "nope")]), "ok"]),
      tools: [tool("t")],
    });
    const durations = run.events.flatMap((event) =>
      event.type === "tool_execution_end" ? [`${event.toolCallId} ${typeof event.durationMs}`] : [],
    );
    expect(durations.sort()).toEqual(["1 number", "2 undefined"]);
  });

  it.each([
    { returned: {}, content: [], isError: false },
    { returned: { content: "plain" }, content: [{ type: "text", text: "plain" }], isError: false },
    {
      returned: { content: [{ type: "text" }, { type: "text", text: "a" }, null, 7] },
      content: [{ type: "text", text: "a" }],
      isError: false,
    },
    {
      returned: undefined,
      content: [{ type: "text", text: "The tool returned no result." }],
      isError: true,
    },
  ])("L-066: a result of any shape becomes a list of blocks: $returned", async (expected) => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [tool("t", async () => expected.returned as never)],
    });
    expect(run.messages[3]).toMatchObject({ content: expected.content, isError: expected.isError });
  });

  it("afterToolCall replaces field by field, and new content drops the old structured form", async () => {
    const results: unknown[] = [];
    await runLoop({
      script: scripted([calls([call("1", "t"), call("2", "t")]), "ok"]),
      tools: [
        tool("t", async () =>
          textResult("old", { details: { a: 1 }, structuredContent: { old: true } }),
        ),
      ],
      toolExecution: "sequential",
      afterToolCall: ({ toolCall }) =>
        toolCall.id === "1"
          ? { content: [{ type: "text", text: "new" }], isError: true }
          : { details: { b: 2 } },
      onEvent: (event) => {
        if (event.type === "tool_execution_end") results.push([event.isError, event.result]);
      },
    });
    expect(results).toEqual([
      [true, { content: [{ type: "text", text: "new" }], details: { a: 1 }, isError: true }],
      [
        false,
        {
          content: [{ type: "text", text: "old" }],
          details: { b: 2 },
          structuredContent: { old: true },
          isError: false,
        },
      ],
    ]);
  });

  it("afterToolCall is not asked about a call that did not run", async () => {
    let asked = 0;
    await runLoop({
      script: scripted([calls([call("1", "nope")]), "ok"]),
      afterToolCall: () => {
        asked += 1;
        return undefined;
      },
    });
    expect(asked).toBe(0);
  });

  it("prepareArguments that throws is an error result", async () => {
    const run = await runLoop({
      script: scripted([calls([call("1", "t")]), "ok"]),
      tools: [
        tool("t", undefined, {
          prepareArguments: () => {
            throw new Error("not mine");
          },
        }),
      ],
    });
    expect(resultsOf(run.messages)).toEqual(["1!: not mine"]);
  });
});

describe("L-069: changes of the tools", () => {
  const declare = (...names: string[]): SystemMessage => ({
    role: "system",
    content: "Be kind.",
    toolsAdded: names.map(
      (name): Tool => ({
        name,
        description: `Does ${name}.`,
        parameters: { type: "object" },
      }),
    ),
    timestamp: 0,
  });
  const changesOf = (message: unknown): string => {
    const { toolsAdded = [], toolsRemoved = [] } = message as SystemMessage;
    return [
      ...toolsRemoved.map((removed) => `-${removed.name}`),
      ...toolsAdded.map((added) => `+${added.name}`),
    ].join(" ");
  };

  it("are told on a new system message before the first that is none", async () => {
    const script = scripted(["ok"]);
    const run = await runLoop({ script, tools: [tool("a"), tool("b")] });
    expect(changesOf(run.messages[0])).toBe("+a +b");
    expect(run.messages[0]).not.toHaveProperty("toolsRemoved");
    expect(JSON.stringify(run.messages[0])).not.toContain("label");
  });

  it("are told on the last pending system message if there is one", async () => {
    const first: SystemMessage = { role: "system", content: "one", timestamp: 1 };
    const second: SystemMessage = { role: "system", content: "two", timestamp: 1 };
    const run = await runLoop({
      script: scripted(["ok"]),
      tools: [tool("a")],
      prompts: [first, second, user("hi")],
    });
    expect(run.order).toBe("AS TS M(system) M(system) M(user) MS MU*3 ME(stop) TE(0) AE(4)");
    expect(run.messages.slice(0, 2).map(changesOf)).toEqual(["", "+a"]);
    expect(second).not.toHaveProperty("toolsAdded");
  });

  it("name what went and what came, and nothing else", async () => {
    const run = await runLoop({
      script: scripted(["ok"]),
      tools: [tool("kept"), tool("new")],
      from: [declare("kept", "gone"), user("hi")],
    });
    expect(run.order).toBe("AS TS M(system) MS MU*3 ME(stop) TE(0) AE(2)");
    expect(changesOf(run.messages[0])).toBe("-gone +new");
  });

  it("by prepareRequest are told before that request", async () => {
    const script = scripted(["ok"]);
    const run = await runLoop({
      script,
      tools: [tool("a")],
      prepareRequest: ({ context }) => ({ context: { ...context, tools: [tool("b")] } }),
    });
    expect(run.order).toBe("AS TS M(system) M(user) M(system) MS MU*3 ME(stop) TE(0) AE(4)");
    expect(changesOf(run.messages[2])).toBe("-a +b");
  });
});

describe("continue", () => {
  const context = (messages: AgentContext["messages"]): AgentContext => ({ messages, tools: [] });
  const config = () => ({ model: testModel, streamFn: scripted(["ok"]).streamFn });

  it("L-080: throws at once on an empty transcript or after an answer", async () => {
    const { messages } = await runLoop({ script: scripted(["ok"]) });
    expect(() => agentLoopContinue(context([]), config())).toThrow("no message to continue from");
    expect(() => agentLoopContinue(context(messages), config())).toThrow("is an answer");
    await expect(runAgentLoopContinue(context(messages), config(), () => {})).rejects.toThrow(
      "is an answer",
    );
  });

  it("L-085: neither continue nor a run from prompts touches the caller's arrays", async () => {
    const messages = [user("hi")];
    await runAgentLoopContinue(context(messages), config(), () => {});
    expect(messages).toHaveLength(1);
  });
});
