import { describe, expect, it } from "vitest";
import { testModel } from "../run-stream.ts";
import { checkCompletionsRequest, completionsRules } from "./openai-completions.ts";
import { at, listAt, type Planted, unproven, violationsOf } from "./planted.ts";

const model = testModel({
  api: "openai-completions",
  provider: "openai",
  id: "gpt-4o",
  baseUrl: "https://api.openai.com/v1",
});
const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const schema = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};
const good = {
  model: "gpt-4o",
  stream: true,
  stream_options: { include_usage: true },
  max_completion_tokens: 100,
  temperature: 1,
  tools: [{ type: "function", function: { name: "look_up", parameters: schema, strict: true } }],
  tool_choice: "auto",
  messages: [
    { role: "developer", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: "Two words?" }, image] },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_1", type: "function", function: { name: "look_up", arguments: "{}" } },
        { id: "call_2", type: "custom", custom: { name: "note", input: "b" } },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "one" },
    { role: "tool", tool_call_id: "call_2", content: "two" },
    { role: "user", content: "And?" },
  ],
};

const deepseek = { provider: "deepseek", id: "deepseek-v4-flash" };
const mistral = { provider: "mistral", id: "mistral-large-latest" };
const thinker = { id: "gpt-5-mini" };

const planted: Planted[] = [
  [
    "well-formed-text: a lone surrogate at body.messages[3].content",
    (body) => {
      at(body, "messages", 3).content = "\ud800";
    },
  ],
  ["required-fields: no model", (body) => delete body.model],
  [
    "required-fields: no messages",
    (body) => {
      body.messages = [];
    },
  ],
  [
    "roles: messages[0]: role model",
    (body) => {
      at(body, "messages", 0).role = "model";
    },
  ],
  ["roles: messages[0]: developer on o1-mini", () => {}, { id: "o1-mini" }],
  ["roles: messages[0]: developer on mistral", () => {}, mistral],
  [
    "content: messages[5] is blank",
    (body) => {
      at(body, "messages", 5).content = " ";
    },
  ],
  [
    "content: messages[5] has no content",
    (body) => {
      at(body, "messages", 5).content = null;
    },
  ],
  [
    "content: messages[1] has no parts",
    (body) => {
      at(body, "messages", 1).content = [];
    },
  ],
  [
    "content: messages[1]: a blank text",
    (body) => {
      at(body, "messages", 1, "content", 0).text = "";
    },
  ],
  [
    "content: messages[3]: a part of type image_url in a message of role tool",
    (body) => {
      at(body, "messages", 3).content = [image];
    },
  ],
  [
    "content: messages[1]: audio for gpt-4o",
    (body) => listAt(body, "messages", 1, "content").push({ type: "input_audio" }),
  ],
  [
    "tool-pairing: messages[4]: no result of call_2 before it",
    (body) => listAt(body, "messages").splice(4, 1),
  ],
  [
    "tool-pairing: messages[3]: no result of call_1 before it",
    (body) => {
      body.messages = listAt(body, "messages").slice(0, 3);
    },
  ],
  [
    "tool-pairing: messages[4]: no call of lost",
    (body) => {
      at(body, "messages", 4).tool_call_id = "lost";
    },
  ],
  [
    "tool-pairing: messages[4]: a second result of call_1",
    (body) => listAt(body, "messages").splice(4, 0, at(body, "messages", 3)),
  ],
  [
    "tool-calls: messages[5]: an empty list of calls",
    (body) => {
      listAt(body, "messages")[5] = { role: "assistant", content: "Hm.", tool_calls: [] };
    },
  ],
  [
    "tool-calls: the id call_1 stands twice",
    (body) => {
      at(body, "messages", 2, "tool_calls", 1).id = "call_1";
    },
  ],
  [
    "tool-calls: messages[2]: a call without id",
    (body) => {
      at(body, "messages", 2, "tool_calls", 1).id = "";
    },
  ],
  [
    "tool-calls: messages[2]: the name look up",
    (body) => {
      at(body, "messages", 2, "tool_calls", 0, "function").name = "look up";
    },
  ],
  [
    "tool-calls: messages[2]: arguments that are no JSON object",
    (body) => {
      at(body, "messages", 2, "tool_calls", 0, "function").arguments = '{"word":';
    },
  ],
  [
    "tool-calls: messages[2]: no input",
    (body) => delete at(body, "messages", 2, "tool_calls", 1, "custom").input,
  ],
  [
    "tool-calls: messages[2]: type call",
    (body) => {
      at(body, "messages", 2, "tool_calls", 0).type = "call";
    },
  ],
  [
    "id-forms: an id of 41 characters",
    (body) => {
      at(body, "messages", 2, "tool_calls", 0).id = "x".repeat(41);
    },
  ],
  ["id-forms: the id call_1", () => {}, mistral],
  [
    "images: messages[1]: an image that is none",
    (body) => {
      at(body, "messages", 1, "content", 1, "image_url").url = "data:image/bmp;base64,AAAA";
    },
  ],
  [
    "images: messages[1]: an image that is none",
    (body) => {
      at(body, "messages", 1, "content", 1, "image_url").url = "data:image/png;base64,!!";
    },
  ],
  ["images: messages[1]: an image for a blind model", () => {}, { input: ["text"] }],
  [
    "tools: an empty list",
    (body) => {
      body.tools = [];
    },
  ],
  [
    "tools: 129 tools",
    (body) => {
      body.tools = Array.from({ length: 129 }, (_, index) => ({
        type: "function",
        function: { name: `t${index}` },
      }));
    },
  ],
  [
    "tools: the name 🙂",
    (body) => {
      at(body, "tools", 0, "function").name = "🙂";
    },
  ],
  [
    "tools: the name look_up stands twice",
    (body) => listAt(body, "tools").push(at(body, "tools", 0)),
  ],
  [
    "tools: look_up: a schema that is not of a plain object",
    (body) => {
      at(body, "tools", 0, "function").parameters = {};
    },
  ],
  [
    "tools: look_up: schema does not require word",
    (body) => {
      at(body, "tools", 0, "function", "parameters").required = [];
    },
  ],
  [
    "tools: look_up: schema leaves additionalProperties open",
    (body) => delete at(body, "tools", 0, "function", "parameters").additionalProperties,
  ],
  ["tool-choice: a choice without tools", (body) => delete body.tools],
  [
    "tool-choice: the choice sometimes",
    (body) => {
      body.tool_choice = "sometimes";
    },
  ],
  [
    "tool-choice: a forced call beside thinking",
    (body) => {
      body.thinking = { type: "enabled" };
      body.tool_choice = "required";
    },
    deepseek,
  ],
  [
    "sampling: temperature -1",
    (body) => {
      body.temperature = -1;
    },
  ],
  [
    "sampling: temperature on a model that thinks",
    (body) => {
      body.temperature = 0.5;
    },
    thinker,
  ],
  [
    "sampling: stop on a model that thinks",
    (body) => {
      body.stop = ["."];
    },
    thinker,
  ],
  [
    "caps: two caps",
    (body) => {
      body.max_tokens = 100;
    },
  ],
  [
    "caps: a cap of 0",
    (body) => {
      body.max_completion_tokens = 0;
    },
  ],
  [
    "caps: max_tokens on a model that thinks",
    (body) => {
      body.max_tokens = 100;
    },
    thinker,
  ],
  ["streaming: stream_options without stream", (body) => delete body.stream],
  [
    "reasoning-fields: messages[2]: calls without reasoning_content",
    (body) => {
      body.thinking = { type: "enabled" };
    },
    deepseek,
  ],
  [
    "reasoning-fields: messages[2]: reasoning_content",
    (body) => {
      at(body, "messages", 2).reasoning_content = "So.";
    },
    mistral,
  ],
  [
    "turns: the conversation ends with an answer",
    (body) => listAt(body, "messages").push({ role: "assistant", content: "It is" }),
    mistral,
  ],
  [
    "turns: messages[5]: the user right behind a result",
    () => {},
    { compat: { requiresAssistantAfterToolResult: true } },
  ],
  [
    "host-fields: messages[3]: a result without a name",
    () => {},
    { compat: { requiresToolResultName: true } },
  ],
  [
    "host-fields: messages[2]: null as content",
    () => {},
    { compat: { requiresNonNullAssistantContent: true } },
  ],
  [
    "cache-control: 5 marks",
    (body) => {
      at(body, "messages", 1).content = Array.from({ length: 5 }, () => ({
        type: "text",
        text: "a",
        cache_control: { type: "ephemeral" },
      }));
    },
  ],
];

describe("the rules of the Chat Completions API", () => {
  it("find nothing in a good request", () => {
    expect(checkCompletionsRequest(good, model)).toEqual([]);
  });

  it.each(planted)("find: %s", (...violation) => {
    expect(violationsOf(checkCompletionsRequest, good, model, violation)).toContain(violation[0]);
  });

  it("are each proven", () => {
    expect(unproven(completionsRules, planted)).toEqual([]);
  });
});
