import { describe, expect, it } from "vitest";
import { type RunJavascriptDetails, runJavascriptTool } from "./run-javascript";
import type { ProgramLimits } from "./run-program";

async function run(
  code: string,
  limits: Partial<ProgramLimits> = {},
  signal = new AbortController().signal,
) {
  const updates: unknown[] = [];
  const result = await runJavascriptTool(limits).execute("1", { code }, signal, (partial) =>
    updates.push(partial),
  );
  const [block] = result.content;
  const text = block?.type === "text" ? block.text : "";
  return {
    text,
    isError: result.isError,
    updates,
    details: result.details as RunJavascriptDetails,
  };
}

describe("run_javascript", () => {
  it.each([
    ["1 + 1", "Value: 2"],
    ["const a = [3, 1, 2]; a.sort(); a", "Value: [1, 2, 3]"],
    ["'text'", 'Value: "text"'],
    ["({a: 1, 'b c': [true, null, undefined]})", 'Value: {a: 1, "b c": [true, null, undefined]}'],
    ["2n ** 100n", "Value: 1267650600228229401496703205376n"],
    ["new Map([['a', new Set([1])]])", 'Value: Map {"a" => Set {1}}'],
    ["const o = {}; o.self = o; o", "Value: {self: [Circular]}"],
    ["(async () => { await null; return 7 })()", "Value: 7"],
    ["undefined", "The program ended without output."],
    ["console.log('a', 1); console.warn({b: 2}); 5", "a 1\n[warn] {b: 2}\nValue: 5"],
  ])("%s", async (code, expected) => {
    expect(await run(code)).toMatchObject({ text: expected, isError: false });
  });

  it.each([
    ["throw new TypeError('no')", "TypeError: no (line 1)"],
    ["\n\nx.y", "ReferenceError: 'x' is not defined (line 3)"],
    ["let = ;", "SyntaxError"],
    ["throw 'plain'", "Thrown: plain"],
    ["Promise.reject(new Error('later'))", "Error: later"],
    ["new Promise(() => {})", "a promise that never settles"],
    ["(function f() { f() })()", "InternalError: stack overflow"],
  ])("says what is wrong with %j", async (code, expected) => {
    const { text, isError, details } = await run(code);
    expect(text).toContain(expected);
    expect(isError).toBe(true);
    expect(details.error).toContain(expected);
  });

  it.each([
    "process",
    "require",
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "setTimeout",
    "globalThis.__print",
    "globalThis.std",
    "globalThis.os",
    "globalThis.Worker",
    "(() => {}).constructor('return process')",
  ])("has no %s", async (name) => {
    const { details } = await run(
      `try { typeof (${name}) === "function" ? typeof ${name}() : typeof ${name} } catch { "none" }`,
    );
    expect(details.value).toMatch(/^"(undefined|none)"$/);
  });

  it("cannot import", async () => {
    const { isError } = await run("import('node:fs').then(() => 1)");
    expect(isError).toBe(true);
  });

  it.each([
    ["a loop", "while (true) {}"],
    [
      "promises that follow each other",
      "const again = () => Promise.resolve().then(again); again()",
    ],
    ["a slow pattern", "/(a+)+b/.test('a'.repeat(100))"],
  ])("ends %s", async (_kind, code) => {
    const { text } = await run(code, { timeMs: 200 });
    expect(text).toBe("The program ran longer than 0.2 s.");
  });

  it("ends a program that takes too much memory", async () => {
    const { text, isError } = await run("const all = []; for (;;) all.push(new ArrayBuffer(1e6))", {
      memoryBytes: 8 * 1024 * 1024,
    });
    expect(text).toBe("The program used more than 8 MB of memory.");
    expect(isError).toBe(true);
  });

  it("cuts what it prints", async () => {
    const { text } = await run("for (let i = 0; i < 1e5; i++) console.log('line ' + i)", {
      outputChars: 100,
    });
    expect(text.length).toBeLessThan(300);
    expect(text).toContain("[The rest of the output is left out.]");
  });

  it("keeps nothing between two programs", async () => {
    await run("globalThis.kept = 1; Array.prototype.push = 1");
    expect((await run("[typeof kept, typeof [].push]")).text).toBe(
      'Value: ["undefined", "function"]',
    );
  });

  it("tells what is printed while it runs, and stops at once when told to", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const tool = runJavascriptTool({ timeMs: 60_000 });
    const running = tool.execute(
      "1",
      { code: "console.log('on'); for (;;) {}" },
      stop.signal,
      (partial) => {
        expect(partial.content).toEqual([{ type: "text", text: "on" }]);
        stop.abort(reason);
      },
    );
    await expect(running).rejects.toBe(reason);
  });
});
