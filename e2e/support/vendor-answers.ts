import type { KnownApi } from "@/lib/ai/types";
import { sse } from "@/scripts/replay-server";

/** What a vendor is to say. Text comes in pieces of a few characters, as vendors send it. */
export interface Script {
  id?: string;
  thinking?: string;
  /** The vendor's opaque mark on its thinking. */
  signature?: string;
  text?: string;
  calls?: { id: string; name: string; arguments: unknown }[];
}

const pieces = (text: string, size = 7): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );

/** Each network event of an answer in the vendor's own shape; join them for a whole body. */
export function vendorEvents(api: KnownApi, script: Script): string[] {
  return writers[api](script);
}

export function vendorBody(api: KnownApi, script: Script): string {
  return vendorEvents(api, script).join("");
}

const writers: Record<KnownApi, (script: Script) => string[]> = {
  "openai-completions"({ id = "chat-1", thinking = "", text = "", calls = [] }) {
    const chunk = (delta: unknown, finish: string | null = null): string =>
      sse({
        id,
        object: "chat.completion.chunk",
        model: "served-model",
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(thinking).map((piece) => chunk({ reasoning_content: piece })),
      ...pieces(text).map((piece) => chunk({ content: piece })),
      ...calls.flatMap((call, index) => [
        chunk({
          tool_calls: [
            { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } },
          ],
        }),
        ...pieces(JSON.stringify(call.arguments)).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      sse({
        id,
        object: "chat.completion.chunk",
        choices: [],
        usage: { prompt_tokens: 40, completion_tokens: 12, total_tokens: 52 },
      }),
      sse("[DONE]"),
    ];
  },

  "openai-responses"({ id = "resp-1", thinking = "", signature, text = "", calls = [] }) {
    const event = (type: string, fields: object): string => sse([type, { type, ...fields }]);
    const events = [event("response.created", { response: { id, status: "in_progress" } })];
    const output: unknown[] = [];
    const item = (begin: object, middle: (index: number) => string[], end: object): void => {
      const index = output.push(end) - 1;
      events.push(
        event("response.output_item.added", { output_index: index, item: begin }),
        ...middle(index),
        event("response.output_item.done", { output_index: index, item: end }),
      );
    };
    if (thinking) {
      const base = { id: `rs_${id}`, type: "reasoning" };
      item(
        { ...base, summary: [] },
        (index) =>
          pieces(thinking).map((delta) =>
            event("response.reasoning_summary_text.delta", {
              item_id: base.id,
              output_index: index,
              summary_index: 0,
              delta,
            }),
          ),
        {
          ...base,
          summary: [{ type: "summary_text", text: thinking }],
          encrypted_content: signature ?? "sealed",
        },
      );
    }
    if (text) {
      const base = { id: `msg_${id}`, type: "message", role: "assistant" };
      item(
        { ...base, status: "in_progress", content: [] },
        (index) =>
          pieces(text).map((delta) =>
            event("response.output_text.delta", {
              item_id: base.id,
              output_index: index,
              content_index: 0,
              delta,
            }),
          ),
        {
          ...base,
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      );
    }
    for (const call of calls) {
      const base = {
        id: `fc_${call.id}`,
        type: "function_call",
        call_id: call.id,
        name: call.name,
      };
      const json = JSON.stringify(call.arguments);
      item(
        { ...base, status: "in_progress", arguments: "" },
        (index) => [
          ...pieces(json).map((delta) =>
            event("response.function_call_arguments.delta", {
              item_id: base.id,
              output_index: index,
              delta,
            }),
          ),
          event("response.function_call_arguments.done", {
            item_id: base.id,
            output_index: index,
            arguments: json,
          }),
        ],
        { ...base, status: "completed", arguments: json },
      );
    }
    events.push(
      event("response.completed", {
        response: {
          id,
          status: "completed",
          output,
          usage: { input_tokens: 40, output_tokens: 12, total_tokens: 52 },
        },
      }),
    );
    return events;
  },

  "anthropic-messages"({ id = "msg-1", thinking = "", signature, text = "", calls = [] }) {
    const event = (type: string, fields: object): string => sse([type, { type, ...fields }]);
    const events = [
      event("message_start", {
        message: {
          id,
          type: "message",
          role: "assistant",
          model: "served-model",
          content: [],
          usage: { input_tokens: 40, output_tokens: 1 },
        },
      }),
    ];
    let next = 0;
    const block = (begin: object, deltas: object[]): void => {
      const index = next++;
      events.push(
        event("content_block_start", { index, content_block: begin }),
        ...deltas.map((delta) => event("content_block_delta", { index, delta })),
        event("content_block_stop", { index }),
      );
    };
    if (thinking) {
      block({ type: "thinking", thinking: "", signature: "" }, [
        ...pieces(thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
        { type: "signature_delta", signature: signature ?? "sealed" },
      ]);
    }
    if (text) {
      block(
        { type: "text", text: "" },
        pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
      );
    }
    for (const call of calls) {
      block(
        { type: "tool_use", id: call.id, name: call.name, input: {} },
        pieces(JSON.stringify(call.arguments)).map((piece) => ({
          type: "input_json_delta",
          partial_json: piece,
        })),
      );
    }
    events.push(
      event("message_delta", {
        delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
        usage: { output_tokens: 12 },
      }),
      event("message_stop", {}),
    );
    return events;
  },

  "google-generative-ai"({ id = "goog-1", thinking = "", signature, text = "", calls = [] }) {
    const chunk = (parts: object[], finishReason?: string): string =>
      sse({
        candidates: [{ index: 0, content: { role: "model", parts }, finishReason }],
        responseId: id,
        modelVersion: "served-model",
        usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 12, totalTokenCount: 52 },
      });
    return [
      ...pieces(thinking).map((piece) => chunk([{ text: piece, thought: true }])),
      ...pieces(text).map((piece) => chunk([{ text: piece }])),
      ...calls.map((call) =>
        chunk([
          {
            functionCall: { id: call.id, name: call.name, args: call.arguments },
            thoughtSignature: signature ?? "c2VhbGVk",
          },
        ]),
      ),
      chunk([{ text: "" }], "STOP"),
    ];
  },
};
