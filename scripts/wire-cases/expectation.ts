import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { AssistantMessage, ToolCall } from "@/lib/ai/types";

const usageFields = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite",
  "reasoning",
  "totalTokens",
] as const;

const expectationSchema = z.object({
  text: z.string().optional(),
  thinking: z.string().optional(),
  toolCalls: z
    .array(
      z.object({
        name: z.string(),
        callId: z.string().optional(),
        arguments: z.record(z.string(), z.unknown()).optional(),
        argumentsInvalid: z.boolean().optional(),
      }),
    )
    .optional(),
  usage: z.partialRecord(z.enum(usageFields), z.number()).optional(),
  stopReason: z.union([z.string(), z.array(z.string())]).optional(),
  rawStopReason: z.string().optional(),
  responseId: z.string().optional(),
  responseModel: z.string().optional(),
  errorContains: z.array(z.string()).optional(),
  /** How many images the model made. */
  images: z.number().optional(),
  /** The call is one of a tool with free-form input, which `toolCalls` does not list. */
  customToolCall: z.boolean().optional(),
});

type Expectation = z.infer<typeof expectationSchema>;

/**
 * Compares a final message with the `expect.json` of a recording. Texts are compared without white space, and a field that
 * the expectation leaves out is free.
 *
 * @returns one sentence for each difference
 */
export function differences(message: AssistantMessage, expected: unknown): string[] {
  const expectation = expectationSchema.parse(expected);
  const found: string[] = [];
  const compare = (field: string, got: unknown, wanted: unknown): void => {
    if (wanted !== undefined && !isDeepStrictEqual(got, wanted)) {
      found.push(`${field} is ${show(got)}, not ${show(wanted)}`);
    }
  };
  compare("text", dense(textOf(message)), dense(expectation.text));
  compare("thinking", dense(thinkingOf(message)), dense(expectation.thinking));
  for (const field of usageFields) {
    compare(`usage.${field}`, message.usage[field], expectation.usage?.[field]);
  }
  compare("rawStopReason", message.rawStopReason, expectation.rawStopReason);
  compare("responseId", message.responseId, expectation.responseId);
  compare("responseModel", message.responseModel ?? message.model, expectation.responseModel);
  compare("images", message.images?.length ?? 0, expectation.images);
  const reasons = [expectation.stopReason ?? message.stopReason].flat();
  if (!reasons.includes(message.stopReason)) {
    found.push(`stopReason is ${message.stopReason}, not ${reasons.join(" or ")}`);
  }
  for (const part of expectation.errorContains ?? []) {
    if (!message.errorMessage?.includes(part)) {
      found.push(`errorMessage is ${show(message.errorMessage)}, without ${show(part)}`);
    }
  }
  if (!expectation.customToolCall) found.push(...toolCallDifferences(message, expectation));
  return found;
}

function toolCallDifferences(message: AssistantMessage, { toolCalls }: Expectation): string[] {
  if (!toolCalls) return [];
  const calls = toolCallsOf(message);
  if (calls.length !== toolCalls.length) {
    return [`there are ${calls.length} tool calls, not ${toolCalls.length}`];
  }
  return toolCalls.flatMap((wanted, index) => {
    const call = calls[index] as ToolCall;
    const found: string[] = [];
    if (call.name !== wanted.name)
      found.push(`call ${index} is to ${call.name}, not ${wanted.name}`);
    // An id may carry the item's id after a bar.
    if (wanted.callId !== undefined && call.id.split("|")[0] !== wanted.callId) {
      found.push(`call ${index} has the id ${call.id}, not ${wanted.callId}`);
    }
    if (wanted.arguments && !isDeepStrictEqual(call.arguments, wanted.arguments)) {
      found.push(`call ${index} has ${show(call.arguments)}, not ${show(wanted.arguments)}`);
    }
    if (wanted.argumentsInvalid && call.argumentsError === undefined) {
      found.push(`call ${index} does not say that its arguments are broken`);
    }
    return found;
  });
}

export function textOf(message: AssistantMessage): string {
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

export function thinkingOf(message: AssistantMessage): string {
  return message.content.map((block) => (block.type === "thinking" ? block.thinking : "")).join("");
}

export function toolCallsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter((block) => block.type === "toolCall");
}

function dense(text: string): string;
function dense(text: string | undefined): string | undefined;
function dense(text: string | undefined): string | undefined {
  return text?.replace(/\s+/g, "");
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 160 ? `${text.slice(0, 100)} … ${text.slice(-50)}` : text;
}
