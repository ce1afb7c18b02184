import type { KnownApi } from "../../types.ts";
import { callPart, chunk, finish, streamBody, text } from "../completions-chunks.ts";
import { added, completed, created, itemDone, messageItem } from "../responses-events.ts";
import { sse } from "../vendor-server.ts";

/** Answers of each vendor in its own shapes: all kinds of content that come back to it later. */

type Events = Record<string, unknown>[];

const anthropic = (blocks: Events, stopReason: string | undefined): string =>
  namedEvents([
    { type: "message_start", message: { id: "msg_1", role: "assistant", content: [], usage: {} } },
    ...blocks.flatMap((content_block, index) => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ]),
    ...(stopReason
      ? [
          { type: "message_delta", delta: { stop_reason: stopReason }, usage: {} },
          { type: "message_stop" },
        ]
      : []),
  ]);

function namedEvents(events: Events): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

const signed = { type: "thinking", thinking: "Let me see.", signature: "U0lH" };
const toolUse = (id: string, input: object = { word: "tea" }): Record<string, unknown> => ({
  type: "tool_use",
  id,
  name: "look_up",
  input,
});
const search = (id: string): Record<string, unknown>[] => [
  { type: "server_tool_use", id, name: "web_search", input: { query: "tea" } },
  { type: "web_search_tool_result", tool_use_id: id, content: [] },
];

const anthropicStreams = [
  anthropic(
    [signed, { type: "text", text: "Two words." }, toolUse("toolu_1"), toolUse("toolu_2")],
    "tool_use",
  ),
  anthropic([{ type: "redacted_thinking", data: "U0VD" }, toolUse("toolu_3")], "tool_use"),
  anthropic(
    [
      { type: "redacted_thinking", data: "U0VD" },
      { type: "text", text: "So." },
    ],
    "end_turn",
  ),
  anthropic([signed, ...search("srvtoolu_1"), signed, { type: "text", text: "Tea. " }], "end_turn"),
  anthropic([{ type: "text", text: "Let me search." }, ...search("srvtoolu_2")], "pause_turn"),
  anthropic([signed, ...search("srvtoolu_9").slice(0, 1)], "pause_turn"),
  anthropic([...search("srvtoolu_3"), toolUse("toolu_4"), { type: "text", text: " " }], "tool_use"),
  anthropic([signed], "max_tokens"),
  anthropic([{ type: "text", text: "It is \n" }], "max_tokens"),
  anthropic([{ type: "text", text: "I will not." }], "refusal"),
  anthropic([signed, { type: "text", text: "Cut" }], undefined),
];

const google = (parts: Events, finishReason?: string): string =>
  sse([{ responseId: "r1", candidates: [{ content: { role: "model", parts }, finishReason }] }]);

const functionCall = (fields: object = {}): Record<string, unknown> => ({
  functionCall: { name: "look_up", args: { word: "tea" }, ...fields },
});

const googleStreams = [
  google(
    [
      { text: "Let me see.", thought: true },
      { text: "Two words." },
      { ...functionCall(), thoughtSignature: "U0lH" },
      functionCall(),
    ],
    "STOP",
  ),
  google([{ ...functionCall({ id: "fc-1" }), thoughtSignature: "U0lH" }], "STOP"),
  google([functionCall()], "STOP"),
  google([{ text: "So." }, { text: "", thoughtSignature: "U0lH" }], "STOP"),
  google(
    [
      { executableCode: { language: "PYTHON", code: "1+1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "2" } },
      { text: "Two." },
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
    ],
    "STOP",
  ),
  google([{ text: "Let me", thought: true, thoughtSignature: "U0lH" }], "MAX_TOKENS"),
  google([{ text: "No" }], "SAFETY"),
  google([{ text: "Cut" }]),
];

const completionsStreams = [
  streamBody([
    chunk({ reasoning_content: "Let me see." }),
    text("Two words."),
    callPart({ index: 0, id: "call_1", name: "look_up", arguments: '{"word":"tea"}' }),
    callPart({ index: 1, id: "call_2", name: "look_up", arguments: "{}" }),
    finish("tool_calls"),
  ]),
  streamBody([
    chunk({ reasoning_details: [{ type: "reasoning.text", text: "So.", signature: "U0lH" }] }),
    callPart({ id: "functions.look_up:0", name: "look_up", arguments: "" }),
    finish("tool_calls"),
  ]),
  streamBody([
    callPart({
      id: `call_${"x".repeat(35)}`,
      name: "look_up",
      arguments: '{"word":',
      extra_content: { google: { thought_signature: "U0lH" } },
    }),
    finish("length"),
  ]),
  streamBody([callPart({ name: "look_up", arguments: "[1]" }), finish("tool_calls")]),
  streamBody([chunk({ reasoning: "Only thought." }), finish("length")]),
  streamBody([chunk({ refusal: "I will not." }), finish("stop")]),
  streamBody([text("<think>Hm.</think>So."), finish("stop")]),
  streamBody([text("Cut")], false),
];

const reasoning = (id: string, fields: object = {}): Record<string, unknown> => ({
  type: "reasoning",
  id,
  summary: [{ type: "summary_text", text: "Let me see." }],
  encrypted_content: "U0VD",
  ...fields,
});
const callItem = (id: string): Record<string, unknown> => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: "look_up",
  arguments: '{"word":"tea"}',
  status: "completed",
});
const responses = (
  items: Events,
  end: (items: Events) => Record<string, unknown> = completed,
): string =>
  sse([
    created,
    ...items.flatMap((item, index) => [added(index, item), itemDone(index, item)]),
    end(items),
  ]);
const incomplete = (output: Events): Record<string, unknown> => ({
  type: "response.incomplete",
  response: {
    id: "resp_1",
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    output,
  },
});
const cited = {
  type: "output_text",
  text: "Tea.",
  annotations: [{ type: "url_citation", url: "https://tea.test", start_index: 0, end_index: 4 }],
};
const webSearch = { type: "web_search_call", id: "ws_1", status: "completed" };

const responsesStreams = [
  responses([reasoning("rs_1"), messageItem("Two words."), callItem("1"), callItem("2")]),
  responses([reasoning("rs_2"), callItem("3")]),
  responses([reasoning("rs_3", { encrypted_content: null }), callItem("4")]),
  responses([
    reasoning("rs_4"),
    webSearch,
    messageItem("Tea.", { id: "msg_2", phase: "final_answer", content: [cited] }),
  ]),
  responses([reasoning("rs_5"), messageItem("So.", { id: `msg_${"x".repeat(80)}` })]),
  responses([messageItem("No.", { id: "msg_3", content: [{ type: "refusal", refusal: "No." }] })]),
  responses([reasoning("rs_6"), webSearch, callItem("5")]),
  responses([{ ...callItem("6"), id: undefined }]),
  responses([reasoning("rs_7")], incomplete),
  responses([messageItem("", { id: "msg_4" })]),
  sse([created, added(0, messageItem("Cut"))]),
];

/** Mistral tells its thoughts in parts and has ids of nine characters. */
const mistralStreams = [
  streamBody([
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "So." }] }] }),
    callPart({ index: 0, id: "abcdefghi", name: "look_up", arguments: "{}" }),
    callPart({ index: 1, name: "look_up", arguments: "{}" }),
    finish("tool_calls"),
  ]),
  streamBody([text("Tea."), finish("stop")]),
];

export interface OwnStreams {
  api: KnownApi;
  /** "vendor" stands for any that speaks the api as its maker does. */
  provider: string;
  bodies: string[];
}

/** Bodies of streams; some end early or in a refusal. */
export const ownStreams: OwnStreams[] = [
  { api: "anthropic-messages", provider: "vendor", bodies: anthropicStreams },
  { api: "google-generative-ai", provider: "vendor", bodies: googleStreams },
  { api: "openai-completions", provider: "vendor", bodies: completionsStreams },
  { api: "openai-completions", provider: "mistral", bodies: mistralStreams },
  { api: "openai-responses", provider: "vendor", bodies: responsesStreams },
];
