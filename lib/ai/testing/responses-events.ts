/** Events of the Responses API for tests, in the vendor's shapes. */

export type ResponseEvent = Record<string, unknown>;

export const created: ResponseEvent = {
  type: "response.created",
  response: { id: "resp_1", model: "gpt-test-2026", status: "in_progress", output: [] },
};

export const added = (output_index: number, item: ResponseEvent): ResponseEvent => ({
  type: "response.output_item.added",
  output_index,
  item,
});

export const itemDone = (output_index: number, item: ResponseEvent): ResponseEvent => ({
  type: "response.output_item.done",
  output_index,
  item,
});

/** A delta of any kind: `kind` is what stands between `response.` and `.delta`. */
export const delta = (
  kind: string,
  output_index: number,
  text: string,
  fields: ResponseEvent = {},
): ResponseEvent => ({ type: `response.${kind}.delta`, output_index, delta: text, ...fields });

export const usage: ResponseEvent = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10, cache_write_tokens: 4 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 7 },
  total_tokens: 50,
};

export const completed = (
  output: ResponseEvent[] = [],
  fields: ResponseEvent = {},
): ResponseEvent => ({
  type: "response.completed",
  response: { id: "resp_1", model: "gpt-test-2026", status: "completed", output, usage, ...fields },
});

export const messageItem = (text: string, fields: ResponseEvent = {}): ResponseEvent => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
  ...fields,
});

/** A whole message as it streams. */
export const messageEvents = (
  index: number,
  pieces: string[],
  fields: ResponseEvent = {},
): ResponseEvent[] => [
  added(index, { ...messageItem("", fields), status: "in_progress", content: [] }),
  ...pieces.map((piece) => delta("output_text", index, piece, { content_index: 0 })),
  itemDone(index, messageItem(pieces.join(""), fields)),
];

export const callItem = (fields: ResponseEvent = {}): ResponseEvent => ({
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "add",
  arguments: "",
  ...fields,
});

export const reasoningItem = (fields: ResponseEvent = {}): ResponseEvent => ({
  type: "reasoning",
  id: "rs_1",
  summary: [],
  encrypted_content: "ENCRYPTED",
  ...fields,
});
