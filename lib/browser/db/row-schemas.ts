/** What the app relies on in each row; fields beyond that pass as they are. */

import * as z from "zod/mini";

const text = z.looseObject({ type: z.literal("text"), text: z.string() });
const image = z.looseObject({
  type: z.literal("image"),
  data: z.string(),
  mimeType: z.string(),
});
const thinking = z.looseObject({ type: z.literal("thinking"), thinking: z.string() });
const toolCall = z.looseObject({
  type: z.literal("toolCall"),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
const textOrImage = z.discriminatedUnion("type", [text, image]);
const tokens = {
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
};
const usage = z.looseObject({
  ...tokens,
  totalTokens: z.number(),
  cost: z.looseObject({ ...tokens, total: z.number() }),
});
const timestamp = z.number();

const message = z.discriminatedUnion("role", [
  z.looseObject({
    role: z.literal("system"),
    content: z.union([z.string(), z.array(text)]),
    timestamp,
  }),
  z.looseObject({
    role: z.literal("user"),
    content: z.union([z.string(), z.array(textOrImage)]),
    timestamp,
  }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.array(z.discriminatedUnion("type", [text, thinking, toolCall])),
    api: z.string(),
    provider: z.string(),
    model: z.string(),
    usage,
    stopReason: z.enum(["pending", "stop", "length", "toolUse", "error", "aborted", "deferred"]),
    errorMessage: z.optional(z.string()),
    timestamp,
  }),
  z.looseObject({
    role: z.literal("toolResult"),
    toolCallId: z.string(),
    toolName: z.string(),
    content: z.array(textOrImage),
    isError: z.boolean(),
    timestamp,
  }),
  z.looseObject({ role: z.literal("custom"), kind: z.string(), timestamp }),
]);

const modelRef = z.looseObject({ provider: z.string(), id: z.string() });
const thinkingLevel = z.enum(["off", "minimal", "low", "medium", "high", "xhigh", "max"]);
const count = z.int().check(z.gte(0));

export const conversationSchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  model: z.optional(modelRef),
  thinkingLevel: z.optional(thinkingLevel),
  leafId: z.optional(z.string()),
  entryCount: count,
  activeRun: z.optional(
    z.looseObject({ runId: z.string(), afterSeq: count, baseId: z.optional(z.string()) }),
  ),
  failure: z.optional(z.looseObject({ runId: z.string(), class: z.string(), message: z.string() })),
});

export const entrySchema = z.looseObject({
  id: z.string(),
  conversationId: z.string(),
  parentId: z.nullable(z.string()),
  seq: count,
  kind: z.literal("message"),
  message,
  runId: z.optional(z.string()),
  createdAt: z.number(),
  queued: z.optional(z.enum(["steer", "followUp"])),
  partial: z.optional(z.literal(true)),
  live: z.optional(
    z.looseObject({
      usage: z.optional(usage),
      argsText: z.optional(z.record(z.string(), z.string())),
    }),
  ),
});

export const runSchema = z.looseObject({
  id: z.string(),
  conversationId: z.string(),
  createdAt: z.number(),
  live: z.optional(
    z.looseObject({
      lastSeq: count,
      status: z.enum(["running", "ended"]),
      interrupted: z.boolean(),
      tools: z.record(
        z.string(),
        z.looseObject({
          toolCallId: z.string(),
          toolName: z.string(),
          state: z.enum([
            "pending",
            "running",
            "awaiting-approval",
            "done",
            "error",
            "denied",
            "aborted",
          ]),
        }),
      ),
    }),
  ),
});

export const generalSettingsSchema = z.looseObject({
  id: z.literal("general"),
  theme: z.optional(z.enum(["system", "light", "dark"])),
  systemPrompt: z.optional(z.string()),
  tools: z.optional(z.record(z.string(), z.enum(["auto", "ask", "off"]))),
  favourites: z.optional(z.array(modelRef)),
  lastModel: z.optional(modelRef),
  thinkingLevel: z.optional(thinkingLevel),
});

export const providerSettingsSchema = z.looseObject({
  id: z.templateLiteral(["provider:", z.string()]),
  apiKey: z.optional(z.string()),
  baseUrl: z.optional(z.string()),
});

export const draftSchema = z.looseObject({
  conversationId: z.string(),
  text: z.string(),
  updatedAt: z.number(),
});
