import { describe, expect, it } from "vitest";
import { callPart, chunk, finish, text } from "../../testing/completions-chunks.ts";
import { checkEventOrder } from "../../testing/event-order.ts";
import { callsOf, play } from "../../testing/play-completions.ts";
import type { Tool } from "../../types.ts";

describe("tool calls", () => {
  it("W-06: two calls with one index but other ids are two calls", async () => {
    const run = await play([
      callPart({ index: 0, id: "a", name: "f", arguments: '{"x":1}' }),
      callPart({ index: 0, id: "b", name: "f", arguments: '{"x":2}' }),
      finish("tool_calls"),
    ]);
    expect(callsOf(run)).toMatchObject([
      { id: "a", arguments: { x: 1 } },
      { id: "b", arguments: { x: 2 } },
    ]);
  });

  it("W-07: a fragment without index and id goes on with the last call", async () => {
    const run = await play([
      callPart({ id: "a", name: "f", arguments: '{"x"' }),
      callPart({ arguments: ":1}" }),
      callPart({
        id: "a",
        name: "f",
        arguments: "",
        extra_content: { google: { thought_signature: "SIG" } },
      }),
      finish("stop"),
    ]);
    expect(callsOf(run)).toEqual([
      {
        type: "toolCall",
        id: "a",
        name: "f",
        arguments: { x: 1 },
        thoughtSignature: '{"google":{"thought_signature":"SIG"}}',
      },
    ]);
  });

  it("whole calls without index and id are told apart by their names and ends", async () => {
    const run = await play([
      callPart({ name: "f", arguments: '{"x":1}' }),
      callPart({ name: "f", arguments: '{"x":2}' }),
      callPart({ name: "g", arguments: "{}" }),
      finish("stop"),
    ]);
    const calls = callsOf(run);
    expect(calls).toMatchObject([
      { name: "f", arguments: { x: 1 } },
      { name: "f", arguments: { x: 2 } },
      { name: "g", arguments: {} },
    ]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
    expect(calls[0]?.id).toMatch(/^call_[a-z0-9]{16}$/);
  });

  it("a new id for each fragment, and a name and id in each, are still one call", async () => {
    const fresh = await play([
      callPart({ index: 0, id: "1", name: "f", arguments: "" }),
      callPart({ index: 0, id: "2", arguments: '{"x":' }),
      callPart({ index: 0, id: "3", arguments: "1}" }),
      finish("tool_calls"),
    ]);
    expect(callsOf(fresh)).toMatchObject([{ id: "1", arguments: { x: 1 } }]);
    const repeated = await play([
      callPart({ index: 0, id: "0", name: "f", arguments: '{"x":' }),
      callPart({ index: 0, id: "0", name: "f", arguments: "1}" }),
      finish("tool_calls"),
    ]);
    expect(callsOf(repeated)).toMatchObject([{ id: "0", arguments: { x: 1 } }]);
  });

  it("arguments before the name wait for it", async () => {
    const run = await play([
      callPart({ index: 0, arguments: '{"p":1' }),
      callPart({ index: 0, id: "call_9", name: "run", arguments: "}" }),
      finish("tool_calls"),
    ]);
    expect(checkEventOrder(run.events)).toEqual([]);
    expect(callsOf(run)).toEqual([
      { type: "toolCall", id: "call_9", name: "run", arguments: { p: 1 } },
    ]);
  });

  it("one without any name is left out, and noted", async () => {
    const { message } = await play([
      text("Hi"),
      callPart({ index: 0, arguments: "{}" }),
      finish("tool_calls"),
    ]);
    expect(message).toMatchObject({
      stopReason: "stop",
      content: [{ text: "Hi" }],
      diagnostics: [{ type: "nameless-tool-call" }],
    });
  });

  it("two with the same id get different ones", async () => {
    const run = await play([
      callPart({ index: 0, id: "0", name: "f", arguments: "{}" }),
      callPart({ index: 1, id: "0", name: "g", arguments: "{}" }),
      finish("tool_calls"),
    ]);
    expect(callsOf(run)).toMatchObject([{ id: "0" }, { id: expect.stringMatching(/^call_/) }]);
  });

  it("arguments may be an object, and the old single function call is read", async () => {
    const object = await play([
      callPart({ index: 0, id: "a", name: "f", arguments: { city: "Oslo" } }),
      finish("tool_calls"),
    ]);
    expect(callsOf(object)).toMatchObject([{ arguments: { city: "Oslo" } }]);
    const old = await play([
      chunk({ function_call: { name: "f", arguments: '{"x"' } }),
      chunk({ function_call: { arguments: ":1}" } }),
      finish("function_call"),
    ]);
    expect(old.message.stopReason).toBe("toolUse");
    expect(callsOf(old)).toMatchObject([{ name: "f", arguments: { x: 1 } }]);
  });

  it("B026: arguments that are no JSON object are told as such, and never become {}", async () => {
    const run = await play([
      callPart({ index: 0, id: "a", name: "f", arguments: '{"d":1}{"d":2}' }),
      finish("tool_calls"),
    ]);
    expect(callsOf(run)).toMatchObject([{ arguments: {}, argumentsError: expect.any(String) }]);
  });

  it("are cut off by the limit", async () => {
    const run = await play([
      callPart({ index: 0, id: "a", name: "f", arguments: '{"x": "lo' }),
      finish("length"),
    ]);
    expect(run.message.stopReason).toBe("length");
    expect(callsOf(run)).toMatchObject([{ argumentsError: expect.stringContaining('{"x": "lo') }]);
  });

  it("names that the host cannot take come back as ours", async () => {
    const tools: Tool[] = [{ name: "files.read", description: "", parameters: {} }];
    const run = await play(
      [callPart({ index: 0, id: "a", name: "files_read", arguments: "{}" }), finish("tool_calls")],
      { tools },
    );
    expect(callsOf(run)).toMatchObject([{ name: "files.read" }]);
  });

  it("nulls of a strict tool's optional properties are taken out again", async () => {
    const tools: Tool[] = [
      {
        name: "book",
        description: "",
        parameters: {
          type: "object",
          properties: { place: { type: "string" }, guests: { type: "integer" } },
          required: ["place"],
        },
        constrainedSampling: { type: "json_schema", strict: "prefer" },
      },
    ];
    const run = await play(
      [
        callPart({ index: 0, id: "a", name: "book", arguments: '{"place":"X","guests":null}' }),
        finish("tool_calls"),
      ],
      { tools, compat: { supportsStrictMode: true } },
    );
    expect(callsOf(run)).toMatchObject([{ arguments: { place: "X" } }]);
    expect(callsOf(run)[0]?.arguments).not.toHaveProperty("guests");
  });

  it("free-form input of a grammar tool becomes its one argument", async () => {
    const tools: Tool[] = [
      {
        name: "query",
        description: "",
        parameters: { type: "object", properties: { sql: { type: "string" } }, required: ["sql"] },
        constrainedSampling: { type: "grammar", variants: { openai_regex: ".*" } },
      },
    ];
    const part = (custom: Record<string, string>, id?: string): unknown =>
      chunk({ tool_calls: [{ index: 0, type: "custom", ...(id && { id }), custom }] });
    const events = [
      part({ name: "query", input: "" }, "a"),
      part({ input: 'select "' }),
      part({ input: 'x"\n' }),
    ];
    const options = { tools, compat: { supportsOpenAIGrammarTools: true } };
    const run = await play([...events, finish("tool_calls")], options);
    expect(checkEventOrder(run.events)).toEqual([]);
    expect(callsOf(run)).toMatchObject([{ arguments: { sql: 'select "x"\n' } }]);
    const cut = await play([...events, finish("length")], options);
    expect(callsOf(cut)).toMatchObject([{ argumentsError: expect.any(String) }]);
  });
});
