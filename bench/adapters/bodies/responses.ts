import type { AnswerContent } from "../bodies";
import { cut, textPieces, toolArguments } from "../pieces";
import { frame, padding } from "./framing";

const response = {
  id: "resp_68c35098e6fc819e80fb94b25b7d031b0f2d670b80edc507",
  object: "response",
  created_at: 1757630616,
  model: "gpt-4.1-2025-04-14",
  error: null,
  incomplete_details: null,
  instructions: null,
  parallel_tool_calls: true,
  service_tier: "default",
  store: false,
  temperature: 1,
  text: { format: { type: "text" }, verbosity: "medium" },
  tool_choice: "auto",
  tools: [],
  truncation: "disabled",
};

const usage = {
  input_tokens: 1087,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20_000,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 21_087,
};

export function responsesBody(content: AnswerContent): string {
  const begun = { ...response, status: "in_progress", output: [], usage: null };
  const { events, item } = content.kind === "text" ? textItem(content) : callItem(content);
  const all = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...events,
    {
      type: "response.completed",
      response: { ...response, status: "completed", output: [item], usage },
    },
  ];
  return frame(
    all.map(({ type, ...rest }, index) => ({ type, sequence_number: index, ...rest })),
    { named: true },
  );
}

interface ItemEvents {
  events: { type: string }[];
  /** As it is in the end. */
  item: object;
}

function textItem({ deltas }: { deltas: number }): ItemEvents {
  const id = "msg_68c3509b2ee0819e8f1b2c3d4e5f60718293a4b5c6d7e8f9";
  const pieces = textPieces(deltas);
  const text = pieces.join("");
  const head = { id, type: "message", role: "assistant" };
  const at = { item_id: id, output_index: 0, content_index: 0 };
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  const item = { ...head, status: "completed", content: [part] };
  return {
    item,
    events: [
      ...added({ ...head, status: "in_progress", content: [] }),
      ...events("response.content_part.added", { ...at, part: { ...part, text: "" } }),
      ...pieces.flatMap((delta) =>
        events("response.output_text.delta", {
          ...at,
          delta,
          logprobs: [],
          obfuscation: padding(delta),
        }),
      ),
      ...events("response.output_text.done", { ...at, text, logprobs: [] }),
      ...events("response.content_part.done", { ...at, part }),
      ...events("response.output_item.done", { output_index: 0, item }),
    ],
  };
}

function callItem({ kilobytes }: { kilobytes: number }): ItemEvents {
  const id = "fc_68c3509b2ee0819e8f1b2c3d4e5f60718293a4b5c6d7e8f9";
  const whole = JSON.stringify(toolArguments(kilobytes));
  const head = {
    id,
    type: "function_call",
    call_id: "call_cCPjAyfwTzboEKjVlqFrArNF",
    name: "write_file",
  };
  const at = { item_id: id, output_index: 0 };
  const item = { ...head, status: "completed", arguments: whole };
  return {
    item,
    events: [
      ...added({ ...head, status: "in_progress", arguments: "" }),
      ...cut(whole).flatMap((delta) =>
        events("response.function_call_arguments.delta", {
          ...at,
          delta,
          obfuscation: padding(delta),
        }),
      ),
      ...events("response.function_call_arguments.done", { ...at, arguments: whole }),
      ...events("response.output_item.done", { output_index: 0, item }),
    ],
  };
}

const added = (item: object): { type: string }[] =>
  events("response.output_item.added", { output_index: 0, item });

function events(type: string, fields: object): { type: string }[] {
  return [{ type, ...fields }];
}
