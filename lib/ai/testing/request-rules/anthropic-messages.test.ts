import { describe, expect, it } from "vitest";
import { testModel } from "../run-stream.ts";
import { anthropicRules, checkAnthropicRequest } from "./anthropic-messages.ts";
import { at, listAt, type Planted, unproven, violationsOf } from "./planted.ts";

const model = testModel({
  api: "anthropic-messages",
  provider: "anthropic",
  id: "claude-sonnet-4-5",
  baseUrl: "https://api.anthropic.com",
});
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
const schema = {
  type: "object",
  properties: { word: { type: "string" } },
  required: ["word"],
  additionalProperties: false,
};
const good = {
  model: "claude-sonnet-4-5",
  max_tokens: 4096,
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
  thinking: { type: "enabled", budget_tokens: 2048 },
  tools: [{ name: "look_up", description: "", input_schema: schema, strict: true }],
  tool_choice: { type: "auto" },
  messages: [
    { role: "user", content: [{ type: "text", text: "Two words?" }, image] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "So.", signature: "SIG" },
        { type: "tool_use", id: "toolu_1", name: "look_up", input: { word: "a" } },
        { type: "tool_use", id: "toolu_2", name: "look_up", input: { word: "b" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: "one" },
        { type: "tool_result", tool_use_id: "toolu_2", is_error: true, content: "no" },
        { type: "text", text: "And?" },
      ],
    },
  ],
};

const call = { type: "tool_use", id: "toolu_3", name: "look_up", input: {} };
const optional = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`p${at}`, {}]));
const oldModel = { id: "claude-opus-4-6" };
const newModel = { id: "claude-opus-4-7" };
const withoutThinking = (body: Record<string, unknown>): void => {
  body.thinking = { type: "disabled" };
};

const planted: Planted[] = [
  [
    "well-formed-text: a lone surrogate at body.messages[0].content[0].text",
    (body) => {
      at(body, "messages", 0, "content", 0).text = "cut \ud83d";
    },
  ],
  [
    "well-formed-text: a lone surrogate in a key at body.messages[1].content[1].input",
    (body) => {
      at(body, "messages", 1, "content", 1).input = { "\udc00": 1 };
    },
  ],
  ["required-fields: no model", (body) => delete body.model],
  ["required-fields: max_tokens is not a positive number", (body) => delete body.max_tokens],
  ["required-fields: max_tokens 4096 is more than the model gives", () => {}, { maxTokens: 2000 }],
  [
    "required-fields: no messages",
    (body) => {
      body.messages = [];
    },
  ],
  [
    "turns: messages[0]: role tool",
    (body) => {
      at(body, "messages", 0).role = "tool";
    },
  ],
  ["turns: the first turn is not the user's", (body) => listAt(body, "messages").shift()],
  [
    "turns: messages[0]: a system turn that is not behind a user turn",
    (body) => listAt(body, "messages").unshift({ role: "system", content: "Hi." }),
  ],
  [
    "turns: messages[1]: a system turn that is neither last nor before an answer",
    (body) => {
      listAt(body, "messages").splice(
        1,
        0,
        { role: "system", content: "Hi." },
        { role: "user", content: "Hi." },
      );
    },
  ],
  [
    "last-turn: the conversation ends with an answer",
    (body) => listAt(body, "messages").push({ role: "assistant", content: "It is" }),
  ],
  [
    "last-turn: the conversation ends with an answer",
    (body) => {
      withoutThinking(body);
      listAt(body, "messages").push({ role: "assistant", content: "It is" });
    },
    oldModel,
  ],
  [
    "last-turn: the last answer ends in white space",
    (body) => {
      withoutThinking(body);
      listAt(body, "messages").push({ role: "assistant", content: "It is " });
    },
  ],
  [
    "block-types: messages[0].content[0]: a block of type thinking in a turn of role user",
    (body) => {
      at(body, "messages", 0, "content", 0).type = "thinking";
    },
  ],
  [
    "block-types: messages[1].content[3]: a block of type image in a turn of role assistant",
    (body) => listAt(body, "messages", 1, "content").push(image),
  ],
  [
    "block-types: messages[0] has no content",
    (body) => {
      at(body, "messages", 0).content = [];
    },
  ],
  [
    "no-blank-text: messages[0].content[0] is blank",
    (body) => {
      at(body, "messages", 0, "content", 0).text = "\n ";
    },
  ],
  [
    "no-blank-text: a blank system",
    (body) => {
      body.system = " ";
    },
  ],
  [
    "no-blank-text: a blank block of system",
    (body) => {
      at(body, "system", 0).text = "";
    },
  ],
  [
    "no-blank-text: messages[2].content[0]: a blank text inside",
    (body) => {
      at(body, "messages", 2, "content", 0).content = [{ type: "text", text: "" }];
    },
  ],
  [
    "tool-uses: the id toolu_1 stands twice",
    (body) => {
      at(body, "messages", 1, "content", 2).id = "toolu_1";
    },
  ],
  [
    "tool-uses: messages[1].content[1]: the id call|1",
    (body) => {
      at(body, "messages", 1, "content", 1).id = "call|1";
    },
  ],
  [
    "tool-uses: messages[1].content[1] has no id",
    (body) => {
      at(body, "messages", 1, "content", 1).id = "";
    },
  ],
  [
    "tool-uses: messages[1].content[1]: the name look up",
    (body) => {
      at(body, "messages", 1, "content", 1).name = "look up";
    },
  ],
  [
    "tool-uses: messages[1].content[1]: the input is no object",
    (body) => {
      at(body, "messages", 1, "content", 1).input = "{}";
    },
  ],
  [
    "tool-pairing: messages[2]: no result of toolu_1",
    (body) => listAt(body, "messages", 2, "content").shift(),
  ],
  [
    "tool-pairing: messages[2]: no call of lost",
    (body) =>
      listAt(body, "messages", 2, "content").unshift({ type: "tool_result", tool_use_id: "lost" }),
  ],
  [
    "tool-pairing: messages[2]: two results of toolu_1",
    (body) => listAt(body, "messages", 2, "content").unshift(at(body, "messages", 2, "content", 0)),
  ],
  [
    "tool-pairing: messages[2]: a block before a result",
    (body) => listAt(body, "messages", 2, "content").reverse(),
  ],
  [
    "tool-pairing: messages[3]: calls without results at the end",
    (body) => listAt(body, "messages").push({ role: "assistant", content: [call] }),
  ],
  [
    "tool-pairing: messages[2]: no result of toolu_1",
    (body) => listAt(body, "messages").splice(2, 0, { role: "system", content: "Hi." }),
  ],
  [
    "tool-results: messages[2].content[1]: image in an error",
    (body) => {
      at(body, "messages", 2, "content", 1).content = [image];
    },
  ],
  [
    "tool-results: messages[2].content[0]: tool_use in a result",
    (body) => {
      at(body, "messages", 2, "content", 0).content = [call];
    },
  ],
  [
    "server-tools: messages[1]: no result of srvtoolu_1",
    (body) =>
      listAt(body, "messages", 1, "content").splice(1, 0, {
        ...call,
        type: "server_tool_use",
        id: "srvtoolu_1",
      }),
  ],
  [
    "thinking-blocks: messages[1].content[0] is not signed",
    (body) => {
      at(body, "messages", 1, "content", 0).signature = "";
    },
  ],
  [
    "thinking-blocks: messages[1].content[0] has no text",
    (body) => delete at(body, "messages", 1, "content", 0).thinking,
  ],
  [
    "thinking-blocks: messages[1].content[0] has no data",
    (body) => {
      at(body, "messages", 1, "content", 0).type = "redacted_thinking";
    },
  ],
  [
    "thinking-blocks: messages[1] ends with thinking",
    (body) => listAt(body, "messages", 1, "content").push(at(body, "messages", 1, "content", 0)),
  ],
  [
    "thinking-config: a budget of 1000",
    (body) => {
      body.thinking = { type: "enabled", budget_tokens: 1000 };
    },
  ],
  [
    "thinking-config: a budget that is not below max_tokens",
    (body) => {
      body.max_tokens = 2048;
    },
  ],
  ["thinking-config: a budget on a model that takes none", () => {}, newModel],
  [
    "thinking-config: adaptive on an older model",
    (body) => {
      body.thinking = { type: "adaptive" };
    },
  ],
  [
    "thinking-config: thinking of type on",
    (body) => {
      body.thinking = { type: "on" };
    },
  ],
  [
    "thinking-first: the running turn begins without thinking",
    (body) => listAt(body, "messages", 1, "content").shift(),
  ],
  [
    "sampling: temperature 1.5",
    (body) => {
      withoutThinking(body);
      body.temperature = 1.5;
    },
  ],
  [
    "sampling: temperature beside thinking",
    (body) => {
      body.temperature = 0.5;
    },
  ],
  [
    "sampling: top_k beside thinking",
    (body) => {
      body.top_k = 5;
    },
  ],
  [
    "sampling: temperature on a model that takes none",
    (body) => {
      withoutThinking(body);
      body.temperature = 1;
    },
    newModel,
  ],
  [
    "tools: an empty list of tools",
    (body) => {
      body.tools = [];
    },
  ],
  [
    "tools: the name look.up",
    (body) => {
      at(body, "tools", 0).name = "look.up";
    },
  ],
  [
    "tools: the name look_up stands twice",
    (body) => listAt(body, "tools").push(at(body, "tools", 0)),
  ],
  [
    "tools: look_up: a schema that is not of an object",
    (body) => {
      at(body, "tools", 0).input_schema = { type: "string" };
    },
  ],
  [
    "tools: look_up: a union at the root of the schema",
    (body) => {
      at(body, "tools", 0).input_schema = { ...schema, anyOf: [{}] };
    },
  ],
  [
    "strict-tools: 21 strict tools",
    (body) => {
      body.tools = Array.from({ length: 21 }, (_, at) => ({
        name: `t${at}`,
        input_schema: schema,
        strict: true,
      }));
    },
  ],
  [
    "strict-tools: 25 optional parameters",
    (body) => {
      at(body, "tools", 0, "input_schema").properties = optional;
    },
  ],
  [
    "strict-tools: look_up: schema.properties.word is a boolean",
    (body) => {
      at(body, "tools", 0, "input_schema").properties = { word: true };
    },
  ],
  [
    "strict-tools: look_up: a circle in Node",
    (body) => {
      at(body, "tools", 0, "input_schema").$defs = {
        Node: { type: "object", properties: { next: { $ref: "#/$defs/Next" } } },
        Next: { $ref: "#/$defs/Node" },
      };
    },
  ],
  [
    "strict-tools: look_up: schema leaves additionalProperties open",
    (body) => delete at(body, "tools", 0, "input_schema").additionalProperties,
  ],
  ["tool-choice: a choice without tools", (body) => delete body.tools],
  [
    "tool-choice: a choice of type required",
    (body) => {
      body.tool_choice = { type: "required" };
    },
  ],
  [
    "tool-choice: no tool other",
    (body) => {
      body.tool_choice = { type: "tool", name: "other" };
    },
  ],
  [
    "tool-choice: a forced call beside a thinking budget",
    (body) => {
      body.tool_choice = { type: "any" };
    },
  ],
  [
    "cache-control: 5 marks",
    (body) => {
      body.cache_control = { type: "ephemeral" };
      at(body, "tools", 0).cache_control = { type: "ephemeral" };
      for (const place of [0, 1]) {
        at(body, "messages", 0, "content", place).cache_control = { type: "ephemeral" };
      }
    },
  ],
  [
    "cache-control: a mark of an hour behind a shorter one",
    (body) => {
      at(body, "messages", 0, "content", 0).cache_control = { type: "ephemeral", ttl: "1h" };
    },
  ],
  [
    "cache-control: messages[1].content[0]: a mark on thinking",
    (body) => {
      at(body, "messages", 1, "content", 0).cache_control = { type: "ephemeral" };
    },
  ],
  [
    "images: messages[0].content[1]: an image of type image/svg+xml",
    (body) => {
      at(body, "messages", 0, "content", 1, "source").media_type = "image/svg+xml";
    },
  ],
  [
    "images: messages[2].content[0]: an image that is not base64",
    (body) => {
      const source = { ...image.source, data: "data:image/png;base64,AAAA" };
      at(body, "messages", 2, "content", 0).content = [{ ...image, source }];
    },
  ],
  [
    "images: messages[0].content[1]: an image without a source",
    (body) => delete at(body, "messages", 0, "content", 1).source,
  ],
  [
    "effort: effort minimal",
    (body) => {
      body.output_config = { effort: "minimal" };
    },
  ],
  [
    "effort: xhigh on an older model",
    (body) => {
      body.output_config = { effort: "xhigh" };
    },
  ],
];

describe("the rules of Anthropic's Messages API", () => {
  it("find nothing in a good request", () => {
    expect(checkAnthropicRequest(good, model)).toEqual([]);
    expect(checkAnthropicRequest("text", model)).toEqual(["body: not a JSON object"]);
  });

  it.each(planted)("find: %s", (...violation) => {
    expect(violationsOf(checkAnthropicRequest, good, model, violation)).toContain(violation[0]);
  });

  it("are each proven", () => {
    expect(unproven(anthropicRules, planted)).toEqual([]);
  });
});
