import { apis } from "../apis/index.ts";
import type { ApiImplementation, KnownApi, Model } from "../types.ts";
import { callPart, chunk, finish, streamBody, text, usageChunk } from "./completions-chunks.ts";
import {
  added,
  callItem,
  completed,
  created,
  delta,
  itemDone,
  messageEvents,
  reasoningItem,
} from "./responses-events.ts";
import { testModel } from "./run-stream.ts";
import { sse } from "./vendor-server.ts";

/** One wire API with answers in its vendor's shapes, for tests that hold for all of them. */
export interface ApiUnderTest {
  api: KnownApi;
  /** With `streamSimple` and `stream`, loaded at the first request. */
  implementation: ApiImplementation;
  /** A model that reasons and sees, at this address. */
  model: (origin: string, fields?: Partial<Model>) => Model;
  /** The header that carries the key. */
  keyHeader: string;
  /** "Hm." as signed thinking, "Hi" as text, a call of `add` with {"a":1}, in this order. */
  whole: string;
  /** "Hi" and no end; usage before it where the vendor tells it early. */
  half: string;
  /** The name of the model that the vendor says answered in `whole`. */
  answeredBy: string;
  /** The same answer of a vendor that names no model, or the one that was asked. */
  unnamed: (modelId: string | undefined) => string;
  /** Signatures of `whole`, as they must go back. */
  signatures: string[];
}

const base64 = (words: string): string => Buffer.from(words).toString("base64");

const anthropicEvents = (model: string | undefined): Record<string, unknown>[] => [
  {
    type: "message_start",
    message: { id: "msg_1", model, usage: { input_tokens: 20, output_tokens: 1 } },
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "thinking", thinking: "", signature: "" },
  },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "signature_delta", signature: "SIG-THINKING" },
  },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hi" } },
  { type: "content_block_stop", index: 1 },
  {
    type: "content_block_start",
    index: 2,
    content_block: { type: "tool_use", id: "call_1", name: "add", input: {} },
  },
  {
    type: "content_block_delta",
    index: 2,
    delta: { type: "input_json_delta", partial_json: '{"a":1}' },
  },
  { type: "content_block_stop", index: 2 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 9 } },
  { type: "message_stop" },
];

const googleChunks = (model: string | undefined): Record<string, unknown>[] => [
  googleChunk([{ text: "Hm.", thought: true, thoughtSignature: base64("thinking") }], model),
  googleChunk([{ text: "Hi", thoughtSignature: base64("text") }], model),
  googleChunk(
    [
      {
        functionCall: { name: "add", args: { a: 1 }, id: "call_1" },
        thoughtSignature: base64("call"),
      },
    ],
    model,
    { finishReason: "STOP" },
  ),
];

function googleChunk(
  parts: unknown[],
  modelVersion?: string,
  candidate: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, ...candidate }],
    responseId: "resp_1",
    ...(modelVersion !== undefined && { modelVersion }),
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 9, totalTokenCount: 29 },
  };
}

const completionsChunks = (model: string | undefined): Record<string, unknown>[] =>
  [
    chunk({ reasoning_content: "Hm." }),
    text("Hi"),
    callPart({ index: 0, id: "call_1", name: "add", arguments: '{"a":1}' }),
    finish("tool_calls"),
    usageChunk({ prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }),
  ].map((event) => ({ ...event, model }));

const reasoning = reasoningItem({ summary: [{ type: "summary_text", text: "Hm." }] });

const responsesEvents = (model: string | undefined): Record<string, unknown>[] =>
  [
    created,
    added(0, reasoningItem({ encrypted_content: "" })),
    delta("reasoning_summary_text", 0, "Hm.", { summary_index: 0 }),
    itemDone(0, reasoning),
    ...messageEvents(1, ["Hi"]),
    added(2, callItem()),
    delta("function_call_arguments", 2, '{"a":1}'),
    itemDone(2, callItem({ arguments: '{"a":1}' })),
    completed(),
  ].map((event) =>
    event.response ? { ...event, response: { ...(event.response as object), model } } : event,
  );

const modelOf =
  (api: KnownApi, provider: string, id: string, path: string): ApiUnderTest["model"] =>
  (origin, fields) =>
    testModel({ api, provider, id, baseUrl: origin + path, ...fields });

/** All wire APIs. */
export const everyApi: ApiUnderTest[] = [
  {
    api: "openai-responses",
    implementation: apis["openai-responses"],
    model: modelOf("openai-responses", "openai", "gpt-test", "/v1"),
    keyHeader: "authorization",
    whole: sse(responsesEvents("gpt-test-2026"), true),
    half: sse([created, ...messageEvents(0, ["Hi"]).slice(0, -1)], true),
    answeredBy: "gpt-test-2026",
    unnamed: (id) => sse(responsesEvents(id), true),
    signatures: [JSON.stringify(reasoning), '"id":"msg_1"', '"id":"fc_1"'],
  },
  {
    api: "openai-completions",
    implementation: apis["openai-completions"],
    model: modelOf("openai-completions", "groq", "model-test", "/v1"),
    keyHeader: "authorization",
    whole: streamBody(completionsChunks("model-test-2026")),
    half: streamBody([text("Hi")], false),
    answeredBy: "model-test-2026",
    unnamed: (id) => streamBody(completionsChunks(id)),
    signatures: ['"reasoning_content":"Hm."'],
  },
  {
    api: "anthropic-messages",
    implementation: apis["anthropic-messages"],
    model: modelOf("anthropic-messages", "anthropic", "claude-test", ""),
    keyHeader: "x-api-key",
    whole: sse(anthropicEvents("claude-test-2026"), true),
    half: sse(
      [
        ...anthropicEvents(undefined).slice(0, 1),
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      ],
      true,
    ),
    answeredBy: "claude-test-2026",
    unnamed: (id) => sse(anthropicEvents(id), true),
    signatures: ['"signature":"SIG-THINKING"'],
  },
  {
    api: "google-generative-ai",
    implementation: apis["google-generative-ai"],
    model: modelOf("google-generative-ai", "google", "gemini-3-test", "/v1beta"),
    keyHeader: "x-goog-api-key",
    whole: sse(googleChunks("gemini-3-test-001")),
    half: sse([googleChunk([{ text: "Hi" }])]),
    answeredBy: "gemini-3-test-001",
    unnamed: (id) => sse(googleChunks(id)),
    signatures: [base64("thinking"), base64("text"), base64("call")],
  },
];
