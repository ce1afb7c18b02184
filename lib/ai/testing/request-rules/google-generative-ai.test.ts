import { describe, expect, it } from "vitest";
import { testModel } from "../run-stream.ts";
import { checkGoogleRequest, googleRules } from "./google-generative-ai.ts";
import { at, listAt, type Planted, unproven, violationsOf } from "./planted.ts";

const model = testModel({
  api: "google-generative-ai",
  provider: "google",
  id: "gemini-3-flash",
  baseUrl: "https://generativelanguage.googleapis.com",
});
const image = { inlineData: { mimeType: "image/png", data: "AAAA" } };
const schema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
const good = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  generationConfig: {
    temperature: 1,
    maxOutputTokens: 100,
    thinkingConfig: { includeThoughts: true, thinkingLevel: "LOW" },
  },
  tools: [{ functionDeclarations: [{ name: "look_up", parametersJsonSchema: schema }] }],
  toolConfig: { functionCallingConfig: { mode: "AUTO" } },
  contents: [
    { role: "user", parts: [{ text: "Two words?" }, image] },
    {
      role: "model",
      parts: [
        { text: "So.", thought: true },
        { functionCall: { id: "1", name: "look_up", args: {} }, thoughtSignature: "AAAA" },
        { functionCall: { id: "2", name: "look_up", args: {} } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "1", name: "look_up", response: { output: "a" } } },
        {
          functionResponse: { id: "2", name: "look_up", response: { output: "b" }, parts: [image] },
        },
      ],
    },
  ],
};

const planted: Planted[] = [
  [
    "well-formed-text: a lone surrogate at body.contents[0].parts[0].text",
    (body) => {
      at(body, "contents", 0, "parts", 0).text = "\udc00";
    },
  ],
  [
    "required-fields: no contents",
    (body) => {
      body.contents = [];
    },
  ],
  [
    "roles: contents[0]: role assistant",
    (body) => {
      at(body, "contents", 0).role = "assistant";
    },
  ],
  [
    "parts: contents[0] has no parts",
    (body) => {
      at(body, "contents", 0).parts = [];
    },
  ],
  [
    "parts: contents[0].parts[0] holds text and inlineData",
    (body) => {
      Object.assign(at(body, "contents", 0, "parts", 0), image);
    },
  ],
  [
    "parts: contents[0].parts[1] holds nothing",
    (body) => delete at(body, "contents", 0, "parts", 1).inlineData,
  ],
  [
    "no-blank-text: contents[0].parts[0] is blank",
    (body) => {
      at(body, "contents", 0, "parts", 0).text = " \n";
    },
  ],
  [
    "no-blank-text: systemInstruction: a part without text",
    (body) => {
      body.systemInstruction = { parts: [{ text: "" }] };
    },
  ],
  ["turns: the first turn is not the user's", (body) => listAt(body, "contents").shift()],
  ["turns: the last turn is not the user's", (body) => listAt(body, "contents").pop()],
  [
    "turns: contents[2]: a call turn that is not behind a user turn",
    (body) => listAt(body, "contents").splice(1, 0, { role: "model", parts: [{ text: "Hm." }] }),
  ],
  [
    "turns: contents[1]: a call in a user turn",
    (body) => {
      at(body, "contents", 1).role = "user";
    },
  ],
  [
    "call-pairing: contents[2]: 1 responses to 2 calls",
    (body) => listAt(body, "contents", 2, "parts").pop(),
  ],
  [
    "call-pairing: contents[2]: 0 responses to 2 calls",
    (body) => listAt(body, "contents").splice(2, 0, { role: "user", parts: [{ text: "Hm." }] }),
  ],
  [
    "call-pairing: contents[2]: other parts beside the responses",
    (body) => listAt(body, "contents", 2, "parts").push({ text: "Hm." }),
  ],
  [
    "call-pairing: contents[2]: responses of other names than the calls'",
    (body) => {
      at(body, "contents", 2, "parts", 0, "functionResponse").name = "other";
    },
  ],
  [
    "call-pairing: contents[2]: no call of 3",
    (body) => {
      at(body, "contents", 2, "parts", 0, "functionResponse").id = "3";
    },
  ],
  [
    "call-pairing: contents[2]: two responses to 2",
    (body) => {
      at(body, "contents", 2, "parts", 0, "functionResponse").id = "2";
    },
  ],
  [
    "responses: contents[2].parts[0]: a response that is no object",
    (body) => {
      at(body, "contents", 2, "parts", 0, "functionResponse").response = "a";
    },
  ],
  ["responses: contents[2].parts[1]: parts in a response", () => {}, { id: "gemini-2.5-flash" }],
  [
    "responses: contents[2].parts[1]: no data inside",
    (body) => {
      at(body, "contents", 2, "parts", 1, "functionResponse").parts = [{ text: "a" }];
    },
  ],
  [
    "function-names: the name 1st",
    (body) => {
      at(body, "tools", 0, "functionDeclarations", 0).name = "1st";
    },
  ],
  [
    "function-names: the name look_up is declared twice",
    (body) => {
      const declarations = listAt(body, "tools", 0, "functionDeclarations");
      declarations.push(declarations[0]);
    },
  ],
  [
    "signatures: contents[1].parts[1]: a signature that is not base64",
    (body) => {
      at(body, "contents", 1, "parts", 1).thoughtSignature = "{}";
    },
  ],
  [
    "signatures: contents[1]: the first call of a step is not signed",
    (body) => delete at(body, "contents", 1, "parts", 1).thoughtSignature,
  ],
  [
    "images: contents[0].parts[1]: data of type image/gif",
    (body) => {
      at(body, "contents", 0, "parts", 1, "inlineData").mimeType = "image/gif";
    },
  ],
  [
    "images: contents[2].parts[1]: data that is not base64",
    (body) => {
      const parts = [{ inlineData: { mimeType: "image/png", data: "" } }];
      at(body, "contents", 2, "parts", 1, "functionResponse").parts = parts;
    },
  ],
  [
    "declarations: look_up: two schemas",
    (body) => {
      at(body, "tools", 0, "functionDeclarations", 0).parameters = { type: "OBJECT" };
    },
  ],
  [
    "declarations: look_up: a schema that is not of an object",
    (body) => {
      at(body, "tools", 0, "functionDeclarations", 0).parametersJsonSchema = { type: "string" };
    },
  ],
  [
    "declarations: look_up: schema.properties.word has const",
    (body) => {
      const place = ["tools", 0, "functionDeclarations", 0, "parametersJsonSchema", "properties"];
      at(body, ...place).word = { const: "a" };
    },
  ],
  ["tool-config: a choice without functions", (body) => delete body.tools],
  [
    "tool-config: mode REQUIRED",
    (body) => {
      at(body, "toolConfig", "functionCallingConfig").mode = "REQUIRED";
    },
  ],
  [
    "tool-config: names with mode AUTO",
    (body) => {
      at(body, "toolConfig", "functionCallingConfig").allowedFunctionNames = ["look_up"];
    },
  ],
  [
    "generation: temperature 3",
    (body) => {
      at(body, "generationConfig").temperature = 3;
    },
  ],
  [
    "generation: maxOutputTokens 0",
    (body) => {
      at(body, "generationConfig").maxOutputTokens = 0;
    },
  ],
  [
    "thinking: a level and a budget",
    (body) => {
      at(body, "generationConfig", "thinkingConfig").thinkingBudget = 0;
    },
  ],
  [
    "thinking: level NONE",
    (body) => {
      at(body, "generationConfig", "thinkingConfig").thinkingLevel = "NONE";
    },
  ],
  ["thinking: a level on a model that takes a budget", () => {}, { id: "gemini-2.5-flash" }],
  [
    "thinking: a budget of 0",
    (body) => {
      at(body, "generationConfig").thinkingConfig = { thinkingBudget: 0 };
    },
    { id: "gemini-2.5-pro" },
  ],
  [
    "thinking: a budget of 100",
    (body) => {
      at(body, "generationConfig").thinkingConfig = { thinkingBudget: 100 };
    },
    { id: "gemini-2.5-flash-lite" },
  ],
  [
    "system-instruction: no parts",
    (body) => {
      body.systemInstruction = { parts: [] };
    },
  ],
  [
    "system-instruction: a part that is no text",
    (body) => {
      body.systemInstruction = { parts: [image] };
    },
  ],
];

describe("the rules of Google's generateContent", () => {
  it("find nothing in a good request", () => {
    expect(checkGoogleRequest(good, model)).toEqual([]);
  });

  it.each(planted)("find: %s", (...violation) => {
    expect(violationsOf(checkGoogleRequest, good, model, violation)).toContain(violation[0]);
  });

  it("are each proven", () => {
    expect(unproven(googleRules, planted)).toEqual([]);
  });
});
