import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gate, resultsOf, runLoop, textOf, textResult, tool, user } from "./testing/harness.ts";
import { call, calls, says, scripted } from "./testing/scripted-stream.ts";

describe("a model that goes round in a circle", () => {
  const readAgain = (request: number) => calls([call(`c${request}`, "read", { p: "a" })]);

  it("B077: the same successful call in every turn is stopped, and the end names the call", async () => {
    const script = scripted(readAgain);
    const run = await runLoop({
      script,
      tools: [tool("read", async () => textResult("same text"))],
    });
    expect(script.requests).toHaveLength(8);
    const last = run.messages.at(-1);
    expect(last?.role === "assistant" && last.errorMessage).toBe(
      'Stopped: the model keeps asking for the same call, read({"p":"a"}). Nothing is lost: continue, or say how to go on.',
    );
    expect(last).toMatchObject({ diagnostics: [{ details: { class: "turn-limit" } }] });
  });

  it("B077: two calls in turn, with their keys in any order, are a circle too", async () => {
    const script = scripted((request) =>
      calls([
        call(
          `c${request}`,
          request % 2 === 0 ? "read" : "list",
          request % 4 < 2 ? { a: 1, b: 2 } : { b: 2, a: 1 },
        ),
      ]),
    );
    await runLoop({ script, tools: [tool("read"), tool("list")] });
    expect(script.requests).toHaveLength(15);
  });

  it("B077: the same call many times in one answer is no circle", async () => {
    const dice = Array.from({ length: 12 }, (_, index) => call(`d${index}`, "roll"));
    const run = await runLoop({ script: scripted([calls(dice), "ok"]), tools: [tool("roll")] });
    expect(textOf(run.messages.at(-1))).toBe("ok");
  });

  it("B077: a person who speaks starts the count again", async () => {
    const script = scripted((request) => (request < 20 ? readAgain(request) : "ok"));
    let turn = 0;
    const run = await runLoop({
      script,
      tools: [tool("read")],
      getSteeringMessages: () => (turn++ % 5 === 4 ? [user("go on")] : []),
    });
    expect(textOf(run.messages.at(-1))).toBe("ok");
  });

  it("B077: calls that differ go up to the limit of turns", async () => {
    const script = scripted((request) => calls([call(`c${request}`, "read", { page: request })]));
    await runLoop({ script, tools: [tool("read")] });
    expect(script.requests).toHaveLength(50);
  });
});

describe("stop", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("B079: a tool that is deaf for 30 s leaves the run idle within a second, and its late result goes nowhere", async () => {
    const controller = new AbortController();
    const started = gate();
    const running = runLoop({
      script: scripted([calls([call("c1", "deaf")])]),
      tools: [
        tool("deaf", async () => {
          started.open();
          await new Promise((resolve) => setTimeout(resolve, 30_000));
          return textResult("late");
        }),
      ],
      signal: controller.signal,
    });
    await started.wait;
    controller.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    const run = await running;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(JSON.stringify(run.messages)).not.toContain("late");
    const next = await runLoop({
      script: scripted(["ok"]),
      tools: [tool("deaf")],
      from: [...run.messages, user("next")],
    });
    expect(textOf(next.messages.at(-1))).toBe("ok");
  });

  it("B080: after a stop during a tool no further request is made when it returns", async () => {
    const controller = new AbortController();
    const script = scripted([calls([call("c1", "t")]), "never"]);
    const running = runLoop({
      script,
      tools: [
        tool("t", async () => {
          await new Promise((resolve) => setTimeout(resolve, 500));
          return textResult("ok");
        }),
      ],
      signal: controller.signal,
    });
    await vi.advanceTimersByTimeAsync(200);
    controller.abort();
    await vi.advanceTimersByTimeAsync(500);
    const run = await running;
    expect(resultsOf(run.messages)).toEqual(["c1: ok"]);
    expect(script.requests).toHaveLength(1);
  });
});

describe("a second attempt", () => {
  it("B084: after a drop the half call does not run and the next try has its text and call once", async () => {
    const ran: string[] = [];
    const tools = [
      tool("t", async (id) => {
        ran.push(id);
        return textResult("ok");
      }),
    ];
    const dropped = await runLoop({
      script: scripted([
        says("Hello wor", {
          content: [{ type: "text", text: "Hello wor" }, call("x", "t")],
          stopReason: "error",
          errorMessage: "connection lost",
        }),
      ]),
      tools,
    });
    const retried = await runLoop({
      script: scripted([
        calls([], { content: [{ type: "text", text: "Hello world" }, call("c2", "t", { a: 1 })] }),
        "done",
      ]),
      tools,
      from: dropped.messages.slice(0, 2),
    });
    expect(textOf(retried.messages[0])).toBe("Hello world");
    expect(ran).toEqual(["c2"]);
  });
});

describe("output without measure", () => {
  it("B086: 5 MB with emoji at the cut stay bounded for the model, whole for the person, and the chat goes on", async () => {
    const whole = "😀 line\n".repeat(600_000);
    const script = scripted([calls([call("c1", "dump")]), "ok"]);
    const run = await runLoop({ script, tools: [tool("dump", async () => textResult(whole))] });
    const result = run.messages[3];
    const sent = textOf(result);
    expect(JSON.stringify(script.requests[1]?.messages.map(textOf)).length).toBeLessThan(200_000);
    expect(sent).toMatch(/truncated/i);
    expect(sent.isWellFormed()).toBe(true);
    expect(result?.role === "toolResult" && result.details).toEqual({ fullOutput: whole });
    expect(textOf(run.messages.at(-1))).toBe("ok");
  });

  it("B086: an error as large as that is bounded too", async () => {
    const run = await runLoop({
      script: scripted([calls([call("c1", "t")]), "ok"]),
      tools: [
        tool("t", async () => {
          throw new Error("x".repeat(1_000_000));
        }),
      ],
    });
    expect(textOf(run.messages[3]).length).toBeLessThan(51_000);
  });
});

describe("what is thrown", () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const hostile = {
    get message(): string {
      throw new Error("no");
    },
  };
  const SILENT = "It failed without saying why.";

  it.each([
    ["a text", "boom", "boom"],
    ["null", null, SILENT],
    ["undefined", undefined, SILENT],
    ["an object", { code: 7 }, '{"code":7}'],
    ["an object with a message", { message: "no access" }, "no access"],
    ["an empty object", {}, SILENT],
    ["an empty error", new Error(""), "Error"],
    ["an error made of an object", new Error(String({})), "Error"],
    ["a number", 404, "404"],
    ["a symbol", Symbol("why"), "Symbol(why)"],
    ["a circle", circular, SILENT],
    ["a trap", hostile, SILENT],
  ])(
    "B088: %s becomes a readable error result and the run goes on",
    async (_kind, thrown, text) => {
      const run = await runLoop({
        script: scripted([calls([call("a", "t")]), "ok"]),
        tools: [
          tool("t", async () => {
            throw thrown;
          }),
        ],
      });
      expect(resultsOf(run.messages)).toEqual([`a!: ${text}`]);
      expect(textOf(run.messages.at(-1))).toBe("ok");
    },
  );

  it("B088: every one of several calls that throw gets its result", async () => {
    const run = await runLoop({
      script: scripted([calls([call("a", "t"), call("b", "t"), call("c", "t")]), "ok"]),
      tools: [
        tool("t", () => {
          throw undefined;
        }),
      ],
    });
    expect(resultsOf(run.messages)).toEqual([`a!: ${SILENT}`, `b!: ${SILENT}`, `c!: ${SILENT}`]);
  });
});

describe("a tool that does not exist", () => {
  it.each([
    [
      "a glued name",
      "searchsearch",
      'There is no tool named "searchsearch". Available tools: search, open.',
    ],
    [
      "a name from the prototype",
      "constructor",
      'There is no tool named "constructor". Available tools: search, open.',
    ],
    [
      "an endless name",
      "x".repeat(5_000),
      `There is no tool named "${"x".repeat(100)}". Available tools: search, open.`,
    ],
  ])("B090: %s is an error that lists what there is", async (_kind, name, text) => {
    const run = await runLoop({
      script: scripted([calls([call("c1", name)]), "sorry"]),
      tools: [tool("search"), tool("open")],
    });
    expect(resultsOf(run.messages)).toEqual([`c1!: ${text}`]);
    expect(textOf(run.messages.at(-1))).toBe("sorry");
  });

  it("B090: says so when there are no tools at all", async () => {
    const run = await runLoop({ script: scripted([calls([call("c1", "search")]), "sorry"]) });
    expect(resultsOf(run.messages)).toEqual([
      'c1!: There is no tool named "search". No tools are available.',
    ]);
  });

  it("B090: a model that insists is stopped", async () => {
    const script = scripted((request) => calls([call(`c${request}`, "searchsearch")]));
    await runLoop({ script, tools: [tool("search")] });
    expect(script.requests).toHaveLength(8);
  });
});
