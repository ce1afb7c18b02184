import type { AnswerContent } from "../bodies";
import { cut, textPieces, toolArguments } from "../pieces";
import { frame } from "./framing";

export function anthropicBody(content: AnswerContent): string {
  const message = {
    id: "msg_01LHpEgU4KbfgXGVi3UtHQY1",
    type: "message",
    role: "assistant",
    model: "claude-opus-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 1087,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
      service_tier: "standard",
    },
  };
  const isText = content.kind === "text";
  const deltas = isText
    ? textPieces(content.deltas).map((text) => ({ type: "text_delta", text }))
    : cut(JSON.stringify(toolArguments(content.kilobytes))).map((piece) => ({
        type: "input_json_delta",
        partial_json: piece,
      }));
  const block = isText
    ? { type: "text", text: "" }
    : { type: "tool_use", id: "toolu_01Bj5uzzLcYG5hfueSLcDH8k", name: "write_file", input: {} };
  return frame(
    [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "ping" },
      ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: isText ? "end_turn" : "tool_use", stop_sequence: null },
        usage: { output_tokens: 20_000 },
      },
      { type: "message_stop" },
    ],
    { named: true },
  );
}
