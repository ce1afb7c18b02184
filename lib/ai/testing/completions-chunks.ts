import { sse } from "./vendor-server.ts";

/** One chunk of a Chat Completions stream. */
export function chunk(
  delta: Record<string, unknown>,
  rest: { finish?: string; index?: number; usage?: unknown } & Record<string, unknown> = {},
): Record<string, unknown> {
  const { finish = null, index = 0, ...top } = rest;
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "test-model",
    choices: [{ index, delta, finish_reason: finish }],
    ...top,
  };
}

export const text = (content: string): Record<string, unknown> => chunk({ content });
export const finish = (reason: string): Record<string, unknown> => chunk({}, { finish: reason });

/** A fragment of a tool call, with what is given and nothing else. */
export function callPart(part: {
  index?: number;
  id?: string;
  name?: string;
  arguments?: unknown;
  [key: string]: unknown;
}): Record<string, unknown> {
  const { name, arguments: args, ...rest } = part;
  const body = {
    ...(name !== undefined && { name }),
    ...(args !== undefined && { arguments: args }),
  };
  return chunk({ tool_calls: [{ type: "function", ...rest, function: body }] });
}

export function usageChunk(usage: Record<string, unknown>): Record<string, unknown> {
  return { id: "chatcmpl-1", model: "test-model", choices: [], usage };
}

/** A body in the vendor's framing, with its last marker. */
export function streamBody(events: unknown[], done = true): string {
  return sse(events) + (done ? "data: [DONE]\n\n" : "");
}
