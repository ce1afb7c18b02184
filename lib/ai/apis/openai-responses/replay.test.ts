import { describe, expect, it } from "vitest";
import {
  addTool,
  call,
  inputOf,
  own,
  reasoning,
  result,
  send,
  signature,
  text,
  thinking,
} from "../../testing/responses-request.ts";
import { answer } from "../../testing/run-stream.ts";
import type { AssistantMessage } from "../../types.ts";

describe("replay to the same model", () => {
  it("P-020: sends reasoning, ids and phases back as they came", async () => {
    const input = await inputOf([
      own({ content: [thinking(), text("Hi", signature), call({ namespace: "maths" })] }),
      result(),
    ]);
    expect(input).toEqual([
      reasoning,
      {
        type: "message",
        role: "assistant",
        status: "completed",
        id: "msg_1",
        phase: "final_answer",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      },
      {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "add",
        namespace: "maths",
        arguments: '{"a":1}',
      },
      { type: "function_call_output", call_id: "call_1", output: "3" },
    ]);
  });

  it.each([
    ["nothing follows", [text("Hi", signature), thinking()]],
    ["what followed was blank", [text("Hi", signature), thinking(), text(" ", signature)]],
    ["what followed was changed", [thinking(), text("Hi, edited")]],
    [
      "it is not encrypted",
      [thinking({ type: "reasoning", id: "rs_1", summary: [] }), text("Hi", signature)],
    ],
    ["W-30: its signature is not JSON", [thinking("opaque"), text("Hi", signature)]],
    ["its signature is of another kind", [thinking({ type: "message" }), text("Hi", signature)]],
  ])("reasoning stays away when %s", async (_name, content) => {
    const input = (await inputOf([own({ content })])) as { type?: string }[];
    expect(input.map(({ type }) => type)).toEqual(["message"]);
  });

  it("an item whose reasoning stays away goes without the id that ties it to it", async () => {
    const bare = { type: "reasoning", id: "rs_1", summary: [] };
    const input = await inputOf([
      own({ content: [thinking(bare), text("Hi", signature), call()] }),
      result(),
    ]);
    expect(input).toMatchObject([{ type: "message", id: "msg_0" }, { type: "function_call" }, {}]);
    expect(input[1]).not.toHaveProperty("id");
  });

  it("a host that does not encrypt gets its reasoning as it is", async () => {
    const open = {
      type: "reasoning",
      id: "rs_1",
      content: [{ type: "reasoning_text", text: "Hm." }],
    };
    const model = { provider: "deepseek" };
    const message = own({ ...model, content: [thinking(open), text("Hi", signature)] });
    expect((await inputOf([message], model))[0]).toEqual(open);
  });

  it("ids that the vendor would refuse are not sent", async () => {
    const long = `msg_${"x".repeat(70)}`;
    const input = await inputOf([
      own({
        content: [text("Hi", JSON.stringify({ v: 1, id: long })), call({ id: "call_1|item-1" })],
      }),
    ]);
    expect(input[0]).toMatchObject({ id: expect.stringMatching(/^msg_[a-z0-9]{8}$/) });
    expect(input[1]).not.toHaveProperty("id");
  });

  it("calls of different turns that share a call id are told apart", async () => {
    const input = (await inputOf([
      own({ content: [call({ id: "call_0|fc_a" })] }),
      result({ toolCallId: "call_0|fc_a" }),
      own({ content: [call({ id: "call_0|fc_b" })] }),
      result({ toolCallId: "call_0|fc_b", content: [{ type: "text", text: "4" }] }),
    ])) as { call_id: string; output?: string }[];
    expect(input.map(({ call_id, output }) => [call_id, output])).toEqual([
      ["call_0", undefined],
      ["call_0", "3"],
      ["call_0_2", undefined],
      ["call_0_2", "4"],
    ]);
  });

  it("a call with free text goes back as one, its result too", async () => {
    const input = await inputOf([
      own({ content: [call({ id: "call_1|ctc_1", arguments: { input: "SELECT 1" } })] }),
      result({ toolCallId: "call_1|ctc_1" }),
    ]);
    expect(input).toEqual([
      { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "add", input: "SELECT 1" },
      { type: "custom_tool_call_output", call_id: "call_1", output: "3" },
    ]);
  });
});

describe("P-401: the vendor's own items", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed" };
  const found = { type: "message", id: "msg_1", content: [{ type: "output_text", text: "Tea." }] };
  const native = (...items: unknown[]): AssistantMessage["native"] => ({
    api: "openai-responses",
    items,
  });

  it("go back whole to the same model", async () => {
    const items = [reasoning, search, found];
    const message = own({
      content: [thinking(), text("Tea.", signature)],
      native: native(...items),
    });
    expect(await inputOf([message])).toEqual(items);
    const other = await inputOf([message], { id: "gpt-other" });
    expect(other).toMatchObject([{ type: "message", id: "msg_0" }]);
  });

  it("with the calls among them answered", async () => {
    const item = {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "add",
      arguments: "{}",
    };
    const message = own({ content: [call()], native: native(search, item) });
    expect(await inputOf([message, result()])).toEqual([
      search,
      item,
      { type: "function_call_output", call_id: "call_1", output: "3" },
    ]);
  });

  it.each([
    ["the text was changed", own({ content: [text("Coffee.")], native: native(search, found) })],
    ["a call was added", own({ content: [text("Tea."), call()], native: native(search, found) })],
    [
      "reasoning among them is not encrypted",
      own({
        content: [text("Tea.", signature)],
        native: native({ type: "reasoning", id: "rs_1" }, search, found),
      }),
    ],
    [
      "they are another api's",
      own({ content: [text("Tea.")], native: { api: "x", items: [found] } }),
    ],
  ])("stay away when %s", async (_name, message) => {
    expect(JSON.stringify(await inputOf([message]))).not.toContain("ws_1");
  });

  it("without calls that nobody answered, and without the reasoning that led to them", async () => {
    const open = { type: "tool_search_call", id: "tsc_1", call_id: "c1", execution: "client" };
    const message = own({
      content: [text("Tea.", signature)],
      native: native(found, reasoning, open),
    });
    expect(await inputOf([message])).toEqual([found]);
  });
});

describe("answers of other models", () => {
  it("A-013, A-015: lose thinking and signatures", async () => {
    const input = await inputOf([
      own({
        model: "gpt-other",
        content: [thinking(), text("Hi", signature), call({ namespace: "n" })],
      }),
      result(),
    ]);
    expect(input).toEqual([
      {
        type: "message",
        role: "assistant",
        status: "completed",
        id: "msg_0",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      },
      { type: "function_call", call_id: "call_1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "call_1", output: "3" },
    ]);
  });

  it("A-016: their call ids take a form that the vendor accepts, each its own", async () => {
    const input = (await inputOf([
      answer({
        content: [call({ id: "a.1" }), call({ id: "a:1" }), call({ id: `${"x".repeat(70)}` })],
      }),
      result({ toolCallId: "a.1" }),
      result({ toolCallId: "a:1" }),
    ])) as { call_id: string }[];
    const ids = input.map(({ call_id }) => call_id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(ids[0]).toBe("a_1");
  });

  it("B061: lone surrogates are sent nowhere", async () => {
    const { body } = await send({
      systemPrompt: "sys \ud83d",
      tools: [{ ...addTool, description: "d\udc00" }],
      messages: [
        { role: "user", content: "cut \ud83d whole 😀", timestamp: 1 },
        own({
          content: [
            thinking({ ...reasoning, encrypted_content: "E\ud83d" }),
            call({ arguments: { "k\udc00": "\ude00v" } }),
          ],
        }),
        result({ content: [{ type: "text", text: "r\ud83d" }] }),
      ],
    });
    const sent = JSON.stringify(body);
    expect(sent).not.toMatch(/\\ud[89a-f]/i);
    expect(sent).toContain("😀");
  });
});
