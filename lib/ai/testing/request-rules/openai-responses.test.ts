import { describe, expect, it } from "vitest";
import { testModel } from "../run-stream.ts";
import { checkResponsesRequest, responsesRules } from "./openai-responses.ts";
import { at, listAt, type Planted, unproven, violationsOf } from "./planted.ts";

const model = testModel({
  api: "openai-responses",
  provider: "openai",
  id: "gpt-5",
  baseUrl: "https://api.openai.com/v1",
});
const image = { type: "input_image", detail: "auto", image_url: "data:image/png;base64,AAAA" };
const schema = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};
const good = {
  model: "gpt-5",
  store: false,
  max_output_tokens: 100,
  prompt_cache_key: "session",
  tools: [
    { type: "function", name: "look_up", parameters: schema, strict: true },
    { type: "custom", name: "note" },
  ],
  tool_choice: "auto",
  input: [
    { role: "developer", content: "Be brief." },
    { role: "user", content: [{ type: "input_text", text: "Two words?" }, image] },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "AAAA" },
    { type: "function_call", id: "fc_1", call_id: "call_1", name: "look_up", arguments: "{}" },
    { type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "note", input: "b" },
    { type: "function_call_output", call_id: "call_1", output: "one" },
    {
      type: "custom_tool_call_output",
      call_id: "call_2",
      output: [{ type: "input_text", text: "two" }, image],
    },
    {
      type: "message",
      role: "assistant",
      id: "msg_1",
      content: [{ type: "output_text", text: "So.", annotations: [] }],
    },
    { role: "user", content: "And?" },
  ],
};

const planted: Planted[] = [
  [
    "well-formed-text: a lone surrogate at body.input[5].output",
    (body) => {
      at(body, "input", 5).output = "\ud800";
    },
  ],
  ["required-fields: no model", (body) => delete body.model],
  [
    "required-fields: no input",
    (body) => {
      body.input = [];
    },
  ],
  [
    "item-kinds: input[5] is of type tool_output",
    (body) => {
      at(body, "input", 5).type = "tool_output";
    },
  ],
  [
    "messages: input[0]: role tool",
    (body) => {
      at(body, "input", 0).role = "tool";
    },
  ],
  [
    "messages: input[8] is blank",
    (body) => {
      at(body, "input", 8).content = "\n";
    },
  ],
  [
    "messages: input[1] has no content",
    (body) => {
      at(body, "input", 1).content = [];
    },
  ],
  [
    "messages: input[1]: a blank text",
    (body) => {
      at(body, "input", 1, "content", 0).text = "";
    },
  ],
  [
    "messages: input[7]: a part of type input_text in a message of role assistant",
    (body) => {
      at(body, "input", 7, "content", 0).type = "input_text";
    },
  ],
  ["calls: a call without call_id", (body) => delete at(body, "input", 3).call_id],
  [
    "calls: a call_id of 65 characters",
    (body) => {
      at(body, "input", 3).call_id = "x".repeat(65);
    },
  ],
  [
    "calls: the name look.up",
    (body) => {
      at(body, "input", 3).name = "look.up";
    },
  ],
  ["calls: no input", (body) => delete at(body, "input", 4).input],
  [
    "calls: arguments of call_1 that are no JSON object",
    (body) => {
      at(body, "input", 3).arguments = "[]";
    },
  ],
  [
    "calls: the call_id call_1 stands twice",
    (body) => {
      at(body, "input", 4).call_id = "call_1";
    },
  ],
  ["call-pairing: no output of call_1", (body) => listAt(body, "input").splice(5, 1)],
  ["call-pairing: input[4]: no call of call_1", (body) => listAt(body, "input").splice(3, 1)],
  [
    "call-pairing: two outputs of call_1",
    (body) => listAt(body, "input").push(at(body, "input", 5)),
  ],
  [
    "call-pairing: input[5]: an output of another kind than its call",
    (body) => {
      at(body, "input", 5).type = "custom_tool_call_output";
    },
  ],
  [
    "call-pairing: input[3]: something between a call and the outputs",
    (body) => listAt(body, "input").splice(4, 0, { role: "assistant", content: "Hm." }),
    { provider: "deepseek" },
  ],
  [
    "outputs: input[6] has no output",
    (body) => {
      at(body, "input", 6).output = [];
    },
  ],
  [
    "outputs: input[6]: a part of type output_text",
    (body) => {
      at(body, "input", 6, "output", 0).type = "output_text";
    },
  ],
  [
    "outputs: input[6]: a blank text",
    (body) => {
      at(body, "input", 6, "output", 0).text = " ";
    },
  ],
  [
    "item-ids: item_1 does not begin with msg",
    (body) => {
      at(body, "input", 7).id = "item_1";
    },
  ],
  [
    "item-ids: an id of 68 characters",
    (body) => {
      at(body, "input", 7).id = `msg_${"x".repeat(64)}`;
    },
  ],
  [
    "item-ids: the id fc_1 stands twice",
    (body) => listAt(body, "input").push({ ...at(body, "input", 3), call_id: "call_3" }),
  ],
  [
    "reasoning-followed: input[2]: reasoning without the item that followed it",
    (body) => {
      // As of an answer that is told by its text alone.
      listAt(body, "input").splice(3, 4);
      delete at(body, "input", 3).id;
    },
  ],
  [
    "reasoning-whole: input[2]: reasoning that is not stored anywhere",
    (body) => delete at(body, "input", 2).encrypted_content,
  ],
  [
    "reasoning-whole: input[2]: reasoning without a summary list",
    (body) => delete at(body, "input", 2).summary,
  ],
  [
    "files: an image that is none",
    (body) => {
      at(body, "input", 1, "content", 1).image_url = "data:image/tiff;base64,AAAA";
    },
  ],
  [
    "files: detail best",
    (body) => {
      at(body, "input", 6, "output", 1).detail = "best";
    },
  ],
  ["files: an image for a blind model", () => {}, { input: ["text"] }],
  [
    "files: a file that is no document",
    (body) =>
      listAt(body, "input", 1, "content").push({
        type: "input_file",
        file_data: "data:audio/mpeg;base64,AAAA",
      }),
  ],
  [
    "tools: an empty list",
    (body) => {
      body.tools = [];
    },
  ],
  [
    "tools: the name look up",
    (body) => {
      at(body, "tools", 0).name = "look up";
    },
  ],
  [
    "tools: the name note stands twice",
    (body) => {
      at(body, "tools", 0).name = "note";
    },
  ],
  [
    "tools: look_up: a schema that is not of a plain object",
    (body) => {
      at(body, "tools", 0).parameters = { type: "string" };
    },
  ],
  [
    "tools: look_up: schema does not require word",
    (body) => delete at(body, "tools", 0, "parameters").required,
  ],
  ["tool-choice: a choice without tools", (body) => delete body.tools],
  [
    "tool-choice: the choice any",
    (body) => {
      body.tool_choice = "any";
    },
  ],
  [
    "sampling: temperature 2.5",
    (body) => {
      body.temperature = 2.5;
    },
    { id: "gpt-4o" },
  ],
  [
    "sampling: temperature on a model that thinks",
    (body) => {
      body.temperature = 0;
    },
  ],
  [
    "limits: max_output_tokens 15",
    (body) => {
      body.max_output_tokens = 15;
    },
  ],
  [
    "limits: a long prompt_cache_key",
    (body) => {
      body.prompt_cache_key = "🙂".repeat(65);
    },
  ],
  [
    "limits: background without store",
    (body) => {
      body.background = true;
    },
  ],
];

describe("the rules of the Responses API", () => {
  it("find nothing in a good request", () => {
    expect(checkResponsesRequest(good, model)).toEqual([]);
  });

  it.each(planted)("find: %s", (...violation) => {
    expect(violationsOf(checkResponsesRequest, good, model, violation)).toContain(violation[0]);
  });

  it("are each proven", () => {
    expect(unproven(responsesRules, planted)).toEqual([]);
  });
});
