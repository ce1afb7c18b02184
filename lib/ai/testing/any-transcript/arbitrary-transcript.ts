import fc from "fast-check";
import type {
  AssistantContent,
  AssistantMessage,
  Context,
  ImageContent,
  Message,
  Model,
  SimpleStreamOptions,
  StopReason,
  TextContent,
  Tool,
  ToolResultMessage,
} from "../../types.ts";
import { answer } from "../run-stream.ts";

/** A transcript as any mix of vendors, edits, failures and imports may leave it, and how it is to be asked. */
export interface Asked {
  context: Context;
  options: SimpleStreamOptions;
}

const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("Tea?", "So.", "Two words.\n", "[object]") },
  fc.constantFrom("", " ", "\n\n", "\u00a0", "\ud83d", "a\udc00b", "🙂", "\u0000", "a ".repeat(50)),
  fc.string({ unit: "binary", maxLength: 12 }),
);

/** Few, so that calls and results meet, and ids are counted anew. */
const ids = fc.constantFrom(
  "call_1",
  "call_2",
  "call_1|fc_1",
  "call_1|fc_2",
  "call_1|item",
  "call 1",
  "call.1",
  "toolu_01",
  "functions.look_up:0",
  "abcdefghi",
  "abcdefghj",
  `call_${"x".repeat(70)}`,
  `call_${"x".repeat(70)}y`,
  `resp_${"y".repeat(60)}|fc_${"z".repeat(90)}`,
  "",
  "|",
  "a|",
  "é🙂",
  "cut\ud83d",
);
const names = fc.constantFrom(
  "look_up",
  "look.up",
  "look up",
  "1st",
  "-x",
  "naïve",
  "🙂",
  "cut\ud83d",
  `n${"a".repeat(70)}1`,
  `n${"a".repeat(70)}2`,
  "__proto__",
  "constructor",
);

const text = texts.map((value): TextContent => ({ type: "text", text: value }));
const image = fc.constantFrom<ImageContent>(
  { type: "image", mimeType: "image/png", data: "AAAA" },
  { type: "image", mimeType: "image/jpg", data: "AAAA" },
  { type: "image", mimeType: "image/gif", data: "AAAA" },
  { type: "image", mimeType: "image/svg+xml", data: "AAAA" },
  { type: "image", mimeType: "", data: "AAAA" },
  { type: "image", mimeType: "image/webp", data: "" },
  { type: "image", mimeType: "image/png", data: "data:image/png;base64,AAAA" },
  { type: "image", mimeType: "image/png", data: "not base64!" },
  { type: "image", mimeType: "image/png", data: "AAA" },
);
const content = fc.oneof(
  texts,
  fc.array(fc.oneof({ weight: 2, arbitrary: text }, image), { maxLength: 4 }),
);

const argumentsOf = fc.oneof(
  fc.constantFrom<Record<string, unknown>>(
    {},
    { word: "tea" },
    { word: "cut\ud83d", "\udc00": [null] },
    { $ref: "#/$defs/x", ok: true },
    { word: 1, more: { deep: [[{}]] } },
  ),
  fc.dictionary(fc.constantFrom("word", "input", "x"), fc.jsonValue({ maxDepth: 2 }), {
    noNullPrototype: true,
  }) as fc.Arbitrary<Record<string, unknown>>,
);

const signatures = fc.constantFrom(
  undefined,
  "",
  "U0lH",
  "not base64!",
  "reasoning_content",
  "reasoning",
  "{",
  '{"type":"reasoning","id":"rs_9","summary":[],"encrypted_content":"U0VD"}',
  '{"type":"reasoning","id":"rs_9","summary":[]}',
  '[{"type":"reasoning.text","text":"So.\\ud83d"}]',
  '{"v":1,"id":"msg_9"}',
  '{"v":1,"id":"item_9"}',
);

const block: fc.Arbitrary<AssistantContent> = fc.oneof(
  fc
    .record({ text: texts, textSignature: signatures })
    .map((fields): AssistantContent => ({ type: "text", ...withoutUndefined(fields) })),
  fc
    .record({ thinking: texts, thinkingSignature: signatures, redacted: fc.boolean() })
    .map((fields): AssistantContent => ({ type: "thinking", ...withoutUndefined(fields) })),
  fc
    .record({ id: ids, name: names, arguments: argumentsOf, thoughtSignature: signatures })
    .map((fields): AssistantContent => ({ type: "toolCall", ...withoutUndefined(fields) })),
);

function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

const stopReasons = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  fc.constantFrom<StopReason>(
    "stop",
    "length",
    "toolUse",
    "error",
    "aborted",
    "deferred",
    "pending",
  ),
);

/**
 * An answer that no adapter has read: of an import, another program, an edit. Whatever it is, its makers are others than the
 * model asked, whose own answers come from its adapter.
 */
const foreignAnswer = fc
  .record({
    content: fc.array(block, { maxLength: 5 }),
    stopReason: stopReasons,
    api: fc.constantFrom(
      "openai-responses",
      "openai-completions",
      "anthropic-messages",
      "google-generative-ai",
      "smoke-signals",
    ),
  })
  .map(({ content, stopReason, api }) =>
    answer({ content, api, provider: "elsewhere", ...(stopReason && { stopReason }) }),
  );

/** An answer that an adapter has read, as it was or edited, made by the model asked or by another. */
function decodedAnswer(model: Model, answers: AssistantMessage[]): fc.Arbitrary<AssistantMessage> {
  const likeIts = model.provider === "mistral" ? ["mistral"] : ["vendor", model.provider];
  const ofIts = answers.filter(
    ({ api, provider }) => api === model.api && likeIts.includes(provider),
  );
  return fc
    .record({
      made: fc.oneof(
        fc.constantFrom(...ofIts).map((made) => ({ made, own: true })),
        fc.constantFrom(...answers).map((made) => ({ made, own: false })),
      ),
      edit: fc.constantFrom("none", "none", "none", "text", "fewer", "no-native", "reversed"),
      stopReason: stopReasons,
      at: fc.nat(6),
    })
    .map(({ made: { made, own }, edit, stopReason, at }) => {
      const message = structuredClone(made);
      if (own) Object.assign(message, { provider: model.provider, model: model.id });
      if (stopReason) message.stopReason = stopReason;
      if (edit === "no-native") delete message.native;
      if (edit === "reversed") message.content.reverse();
      if (edit === "fewer") message.content.splice(at, 1);
      if (edit === "text") {
        for (const part of message.content) if (part.type === "text") part.text += " edited\ud83d";
      }
      return message;
    });
}

/** Which call of those before it a result answers, from the newest back; beyond them an orphan's. */
type Step = Message | { resultOf: number; id: string; result: Partial<ToolResultMessage> };

const result: fc.Arbitrary<Step> = fc.record({
  resultOf: fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, fc.nat(9)),
  id: ids,
  result: fc.record({
    content: fc.array(fc.oneof({ weight: 2, arbitrary: text }, image), { maxLength: 3 }),
    isError: fc.boolean(),
    toolName: names,
  }),
});

const schemas = fc.constantFrom<Record<string, unknown>>(
  {},
  { type: "object" },
  { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
  { type: "object", properties: { word: { const: "cut\ud83d" }, x: true } },
  { anyOf: [{ type: "object", properties: { x: { type: "number", exclusiveMinimum: 0 } } }] },
  {
    type: "object",
    properties: { tree: { $ref: "#/$defs/Tree" } },
    $defs: { Tree: { type: "object", properties: { next: { $ref: "#/$defs/Tree" } } } },
  },
);
const tool: fc.Arbitrary<Tool> = fc.record({
  name: names,
  description: texts,
  parameters: schemas,
  constrainedSampling: fc.constantFrom<NonNullable<Tool["constrainedSampling"]>>(
    false,
    { type: "json_schema", strict: "prefer" },
    { type: "grammar", variants: { openai_lark: 'start: "a"' } },
  ),
});

const system: fc.Arbitrary<Message> = fc.record({
  role: fc.constant("system" as const),
  content: fc.oneof(texts, fc.array(text, { maxLength: 2 })),
  sections: fc.dictionary(fc.constantFrom("a", "1", "cut\ud83d"), fc.option(texts), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
  toolsAdded: fc.array(tool, { maxLength: 2 }),
  toolsRemoved: fc.array(fc.record({ name: names }), { maxLength: 1 }),
  timestamp: fc.constant(1),
});

const user: fc.Arbitrary<Message> = fc.record({
  role: fc.constant("user" as const),
  content,
  timestamp: fc.constant(1),
});

const options: fc.Arbitrary<SimpleStreamOptions> = fc
  .record({
    temperature: fc.constantFrom(undefined, 0, 0.7, 1),
    maxTokens: fc.constantFrom(undefined, 1, 100, 1000, 3000, 100_000),
    reasoning: fc.constantFrom(undefined, "minimal", "low", "high", "xhigh", "max"),
    toolChoice: fc.constantFrom(undefined, "auto", "none"),
    cacheRetention: fc.constantFrom(undefined, "none", "short", "long"),
    sessionId: fc.constantFrom(undefined, "s", "🙂".repeat(70)),
  })
  .map((fields) => withoutUndefined(fields) as SimpleStreamOptions);

/** @param answers what the adapters have read, of all vendors */
export function arbitraryAsked(model: Model, answers: AssistantMessage[]): fc.Arbitrary<Asked> {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: user },
    { weight: 4, arbitrary: decodedAnswer(model, answers) },
    { weight: 2, arbitrary: foreignAnswer },
    { weight: 5, arbitrary: result },
    { weight: 1, arbitrary: system },
  );
  return fc
    .record({
      systemPrompt: fc.option(texts, { nil: undefined }),
      tools: fc.option(fc.array(tool, { maxLength: 3 }), { nil: undefined }),
      steps: fc.array(step, { maxLength: 12 }),
      // Nobody asks without having said something; where it stands is open.
      question: fc.nat(12),
      options,
    })
    .map(({ steps, question, options, ...prompt }) => {
      const messages = resolved(steps);
      messages.splice(question, 0, { role: "user", content: "And now?", timestamp: 1 });
      return { context: { ...withoutUndefined(prompt), messages } as Context, options };
    });
}

function resolved(steps: Step[]): Message[] {
  const called: { id: string; name: string }[] = [];
  const natives = new Set<string>();
  return steps.map((step) => {
    if (!("resultOf" in step)) {
      if (step.role === "assistant") {
        // An answer that stands twice is as of a host that counts its calls anew; server-side ids are never given twice.
        const native = JSON.stringify(step.native?.items);
        if (natives.has(native)) delete step.native;
        natives.add(native);
        for (const part of step.content) if (part.type === "toolCall") called.unshift(part);
      }
      return step;
    }
    const call = called[step.resultOf];
    return {
      role: "toolResult",
      toolCallId: call?.id ?? step.id,
      toolName: call?.name ?? "look_up",
      content: [],
      isError: false,
      timestamp: 3,
      ...withoutUndefined({ ...step.result, ...(call && { toolName: call.name }) }),
    };
  });
}
