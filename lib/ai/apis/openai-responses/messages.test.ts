import { describe, expect, it } from "vitest";
import {
  addTool,
  ask,
  bodyOf,
  call,
  inputOf,
  own,
  result,
  signature,
  text,
  userAsk,
} from "../../testing/responses-request.ts";
import type { Context, Message, Model, Tool } from "../../types.ts";

describe("messages of the request", () => {
  it("W-29: leave out what is blank", async () => {
    const input = await inputOf([
      { role: "user", content: " \n", timestamp: 1 },
      {
        role: "user",
        content: [
          { type: "text", text: "" },
          { type: "text", text: "a" },
        ],
        timestamp: 1,
      },
      own({ content: [text("\n\n"), text("b", signature)] }),
      ask,
    ]);
    expect(input).toEqual([
      { role: "user", content: [{ type: "input_text", text: "a" }] },
      expect.objectContaining({ id: "msg_1" }),
      userAsk,
    ]);
    const { input: withoutPrompt } = await bodyOf({ systemPrompt: "  \n", messages: [ask] });
    expect(withoutPrompt).toEqual([userAsk]);
  });

  it("put calls last for a server that pairs them by their neighbours", async () => {
    const [first, second] = [call({ id: "c1" }), call({ id: "c2" })];
    const results = [result({ toolCallId: "c1" }), result({ toolCallId: "c2" })];
    const mixed = own({ content: [text("a"), first, text("b"), second] });
    const input = await inputOf([ask, mixed, ...results], { provider: "deepseek" });
    expect((input as { type?: string }[]).map(({ type }) => type)).toEqual([
      undefined,
      "message",
      "message",
      "function_call",
      "function_call",
      "function_call_output",
      "function_call_output",
    ]);
  });

  it("carry images of the user and of tools", async () => {
    const image = { type: "image", data: "QUJD", mimeType: "image/png" } as const;
    const part = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,QUJD" };
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: "see" }, image], timestamp: 1 },
      own({ content: [call()] }),
      result({ content: [image] }),
    ];
    expect(await inputOf(messages)).toEqual([
      { role: "user", content: [{ type: "input_text", text: "see" }, part] },
      { type: "function_call", id: "fc_1", call_id: "call_1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "call_1", output: [part] },
    ]);
    const blind = JSON.stringify(await inputOf(messages, { input: ["text"] }));
    expect(blind).not.toContain("QUJD");
    expect(blind).toContain("cannot see images");
  });

  it("say so when a tool gave nothing", async () => {
    const input = await inputOf([own({ content: [call()] }), result({ content: [] })]);
    expect(input.at(-1)).toMatchObject({ output: "(The tool gave no output.)" });
  });

  it("system messages are developer or system by the model and the host", async () => {
    const context: Context = { systemPrompt: "P", messages: [ask] };
    const role = async (model: Partial<Model>): Promise<unknown> =>
      ((await bodyOf(context, {}, model)).input as { role: string }[])[0]?.role;
    expect(await role({})).toBe("developer");
    expect(await role({ reasoning: false })).toBe("system");
    expect(await role({ provider: "deepseek" })).toBe("system");
    expect(await role({ compat: { supportsDeveloperRole: false } })).toBe("system");
  });

  it("P-046, P-048: later system messages stand in place where the host knows them", async () => {
    const messages: Message[] = [
      ask,
      { role: "system", content: "Now rhyme.", sections: { mood: "calm" }, timestamp: 10 },
      { ...ask, content: "more" },
    ];
    const inPlace = await bodyOf(
      { systemPrompt: "P", messages },
      {},
      { compat: { supportsMidConvoSystemMessages: true } },
    );
    expect(inPlace.input).toMatchObject([
      { content: "P" },
      userAsk,
      { role: "developer", content: expect.stringMatching(/^Now rhyme\.[\s\S]*mood[\s\S]*calm$/) },
      { role: "user" },
    ]);
    const collapsed = await bodyOf({ systemPrompt: "P", messages });
    expect(collapsed.input).toMatchObject([
      { content: "P\n\nNow rhyme.\n\ncalm" },
      userAsk,
      { role: "user" },
    ]);
  });

  it("P-053: tools that come later are declared in place where the host knows it", async () => {
    const later: Tool = { ...addTool, name: "later" };
    const context: Context = {
      tools: [addTool],
      messages: [
        ask,
        {
          role: "system",
          content: "",
          toolsAdded: [later],
          toolsRemoved: [{ name: "add" }],
          timestamp: 10,
        },
      ],
    };
    const compat = { supportsMidConvoSystemMessages: true, supportsAdditionalTools: true };
    const body = await bodyOf(context, { toolChoice: "auto" }, { compat });
    expect(body).not.toHaveProperty("tools");
    expect(body.tool_choice).toBe("auto");
    expect(body.input).toMatchObject([
      { type: "additional_tools", role: "developer", tools: [{ name: "add" }] },
      userAsk,
      { role: "developer", content: "[These tools are no longer available: add]" },
      { type: "additional_tools", tools: [{ name: "later" }] },
    ]);
    const folded = await bodyOf(context);
    expect(folded.tools).toMatchObject([{ name: "later" }]);
    expect(folded.input).toEqual([userAsk]);
  });

  it("P-408: names that the vendor refuses are mapped, in tools and calls alike", async () => {
    const name = "say hello!";
    const { tools, input } = await bodyOf({
      tools: [{ ...addTool, name }],
      messages: [own({ content: [call({ name })] }), result({ toolName: name })],
    });
    const [tool] = tools as { name: string }[];
    expect(tool?.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect((input as { name?: string }[])[0]?.name).toBe(tool?.name);
  });
});
