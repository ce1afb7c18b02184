import { streamSimple } from "../apis/openai-responses/index.ts";
import type {
  AssistantMessage,
  Context,
  Message,
  Model,
  SimpleStreamOptions,
  Tool,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "../types.ts";
import { completed } from "./responses-events.ts";
import { answer, readAll, testModel, transcript } from "./run-stream.ts";
import { type ReceivedRequest, sse, startVendor } from "./vendor-server.ts";

/** Requests of the Responses API as a vendor receives them, and transcripts to make them of. */

export const ask: UserMessage = { role: "user", content: "go on", timestamp: 9 };

/** What the vendor receives. */
export async function send(
  context: Context,
  options: SimpleStreamOptions = {},
  model: Partial<Model> = {},
  path = "/v1",
): Promise<ReceivedRequest> {
  const vendor = await startVendor({ body: sse([completed()]) });
  const { message } = await readAll(
    streamSimple(
      testModel({
        api: "openai-responses",
        id: "gpt-test",
        provider: "openai",
        baseUrl: vendor.origin + path,
        ...model,
      }),
      transcript(context),
      { apiKey: "key-1", maxRetries: 0, ...options },
    ),
  );
  const [request] = vendor.requests;
  await vendor.stop();
  if (!request) throw new Error(message.errorMessage);
  return request;
}

export async function bodyOf(
  context: Context,
  options?: SimpleStreamOptions,
  model?: Partial<Model>,
): Promise<Record<string, unknown>> {
  return (await send(context, options, model)).body;
}

export async function inputOf(messages: Message[], model?: Partial<Model>): Promise<unknown[]> {
  return (await bodyOf({ messages }, {}, model)).input as unknown[];
}

export const own = (
  fields: Partial<AssistantMessage> & Pick<AssistantMessage, "content">,
): AssistantMessage =>
  answer({ api: "openai-responses", provider: "openai", model: "gpt-test", ...fields });

export const call = (fields: Partial<ToolCall> = {}): ToolCall => ({
  type: "toolCall",
  id: "call_1|fc_1",
  name: "add",
  arguments: { a: 1 },
  ...fields,
});

export const result = (fields: Partial<ToolResultMessage> = {}): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: "call_1|fc_1",
  toolName: "add",
  content: [{ type: "text", text: "3" }],
  isError: false,
  timestamp: 3,
  ...fields,
});

export const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ENC" };
export const thinking = (item: unknown = reasoning): AssistantMessage["content"][number] => ({
  type: "thinking",
  thinking: "Hm.",
  thinkingSignature: typeof item === "string" ? item : JSON.stringify(item),
});
export const text = (
  words: string,
  textSignature?: string,
): AssistantMessage["content"][number] => ({
  type: "text",
  text: words,
  ...(textSignature && { textSignature }),
});
export const signature = '{"v":1,"id":"msg_1","phase":"final_answer"}';
export const userAsk = { role: "user", content: [{ type: "input_text", text: "go on" }] };

export const addTool: Tool = {
  name: "add",
  description: "Adds.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a"],
  },
};
