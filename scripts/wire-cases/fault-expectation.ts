import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { textOf, thinkingOf, toolCallsOf } from "./expectation";
import type { Playback, PlayOptions } from "./play-case";
import type { WireCase } from "./wire-case";

const faultSchema = z.object({
  stopReason: z.string().optional(),
  stopReasonNot: z.string().optional(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  textLacks: z.array(z.string()).optional(),
  textOrErrorContains: z.string().optional(),
  toolCalls: z
    .array(
      z.object({ id: z.string(), name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    )
    .optional(),
  usage: z.record(z.string(), z.number()).optional(),
  errorContains: z.string().optional(),
  /** Somewhere in the message it must say so. */
  flag: z.string().optional(),
  noDeltaContains: z.array(z.string()).optional(),
  errorEvents: z.number().optional(),
  anyOf: z
    .array(
      z.object({
        toolCallArgs: z.array(z.unknown()).optional(),
        toolCallInvalid: z.boolean().optional(),
      }),
    )
    .optional(),
  cuts: z.array(z.number()).optional(),
  alsoOneBytePerChunk: z.boolean().optional(),
  cutBetweenCRLF: z.boolean().optional(),
  thenSilence: z.boolean().optional(),
});

/** The ways in which a fault's bytes are to be delivered. */
export function faultDeliveries({ body, expected }: WireCase): PlayOptions[] {
  const fault = faultSchema.parse(expected);
  const thenSilence = fault.thenSilence ?? false;
  const deliveries: PlayOptions[] = [{ thenSilence }];
  if (fault.cuts) deliveries.push({ split: { cuts: fault.cuts }, thenSilence });
  if (fault.alsoOneBytePerChunk) deliveries.push({ split: 1, thenSilence });
  if (fault.cutBetweenCRLF) deliveries.push({ split: { cuts: lineFeedsAfterReturn(body) } });
  return deliveries;
}

function lineFeedsAfterReturn(body: Uint8Array): number[] {
  return [...body.keys()].filter((at) => body[at] === 0x0a && body[at - 1] === 0x0d);
}

/** Compares what came out with the fault's `expect.json`; all patterns are regular expressions. */
export function faultDifferences({ message, events }: Playback, expected: unknown): string[] {
  const fault = faultSchema.parse(expected);
  const text = fold(textOf(message));
  const problems: [wrong: boolean, sentence: string][] = [
    [differs(fault.stopReason, message.stopReason), `stopReason is ${message.stopReason}`],
    [message.stopReason === fault.stopReasonNot, `stopReason is ${message.stopReason}`],
    [differs(fault.text, text), `text is ${JSON.stringify(text)}`],
    [differs(fault.thinking, fold(thinkingOf(message))), `thinking is ${thinkingOf(message)}`],
    [
      !finds(fault.textOrErrorContains, `${text}\n${message.errorMessage}`),
      `neither text nor error holds ${fault.textOrErrorContains}`,
    ],
    [
      !finds(fault.errorContains, message.errorMessage ?? ""),
      `errorMessage is ${message.errorMessage}`,
    ],
    [
      !finds(
        fault.flag,
        JSON.stringify([message.errorMessage, message.rawStopReason, message.diagnostics]),
      ),
      `nothing says ${fault.flag}`,
    ],
    [
      differs(fault.errorEvents, events.filter((event) => event.type === "error").length),
      "the number of error events is wrong",
    ],
    [fault.anyOf !== undefined && !fault.anyOf.some(callsFit), "the tool calls are wrong"],
  ];
  for (const pattern of fault.textLacks ?? []) {
    problems.push([finds(pattern, text), `the text holds ${pattern}`]);
  }
  for (const part of fault.noDeltaContains ?? []) {
    const holds = events.some((event) => "delta" in event && event.delta.includes(part));
    problems.push([holds, `a delta holds ${part}`]);
  }
  for (const [field, value] of Object.entries(fault.usage ?? {})) {
    const got = message.usage[field as keyof typeof message.usage];
    problems.push([got !== value, `usage.${field} is ${got}, not ${value}`]);
  }
  if (fault.toolCalls) {
    const calls = toolCallsOf(message).map(({ id, name, arguments: args }) => ({
      id,
      name,
      arguments: args,
    }));
    const same = isDeepStrictEqual(calls, fault.toolCalls);
    problems.push([!same, `the tool calls are ${JSON.stringify(calls)}`]);
  }
  return problems.filter(([wrong]) => wrong).map(([, sentence]) => sentence);

  function callsFit(choice: NonNullable<typeof fault.anyOf>[number]): boolean {
    const calls = toolCallsOf(message);
    if (choice.toolCallInvalid) return calls.some((call) => call.argumentsError !== undefined);
    return isDeepStrictEqual(
      calls.map((call) => call.arguments),
      choice.toolCallArgs,
    );
  }
}

const fold = (text: string): string => text.trim();

function differs(wanted: unknown, got: unknown): boolean {
  return wanted !== undefined && wanted !== got;
}

/** Whether the pattern, which may begin with `(?i)`, is found; without a pattern it is. */
function finds(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true;
  const flags = pattern.startsWith("(?i)") ? "i" : "";
  return new RegExp(pattern.replace(/^\(\?i\)/, ""), flags).test(text);
}
