import * as z from "zod";
import { builtinProviders } from "@/lib/ai/providers/all";
import type { Model } from "@/lib/ai/types";
import { isKnownApi, knownApis } from "../replay-server";

const targetSchema = z.looseObject({
  api: z.string(),
  provider: z.string(),
  model: z.string(),
  name: z.string().optional(),
  baseUrl: z.string().optional(),
  reasoning: z.boolean().optional(),
  thinkingLevelMap: z.record(z.string(), z.string().nullable()).optional(),
  input: z.array(z.enum(["text", "image"])).optional(),
  contextWindow: z.number().optional(),
  maxTokens: z.number().optional(),
  headers: z.record(z.string(), z.string().nullable()).optional(),
  samplingParams: z.record(z.string(), z.unknown()).optional(),
  compat: z.record(z.string(), z.unknown()).optional(),
});

const defaultBaseUrls: Record<(typeof knownApis)[number], string> = {
  "openai-responses": "https://api.openai.com/v1",
  "openai-completions": "https://api.openai.com/v1",
  "anthropic-messages": "https://api.anthropic.com",
  "google-generative-ai": "https://generativelanguage.googleapis.com/v1beta",
};

/**
 * The model that a `target.json` names: the catalog's facts where it knows the model, else plain ones, and over them the
 * target's own fields. Fields that are none of a model's count as compat flags.
 *
 * @throws with the field's name
 */
export function targetModel(target: unknown): Model {
  const parsed = targetSchema.safeParse(target);
  if (!parsed.success) throw new Error(`target.json: ${z.prettifyError(parsed.error)}`);
  const { api, provider: providerId, model: id, ...given } = parsed.data;
  if (!isKnownApi(api)) {
    throw new Error(`target.json: api is "${api}", and none of ${knownApis.join(", ")}.`);
  }
  const provider = builtinProviders().find((candidate) => candidate.id === providerId);
  const known = provider?.getAllModels().find((model) => model.id === id && model.api === api);
  const { modelFields, flags } = sortFields(given);
  const compat = { ...known?.compat, ...flags, ...given.compat };
  return {
    name: id,
    baseUrl: provider?.baseUrl ?? defaultBaseUrls[api],
    reasoning: false,
    input: ["text", "image"],
    contextWindow: 200_000,
    maxTokens: 32_000,
    ...known,
    ...modelFields,
    id,
    api,
    provider: providerId,
    ...(Object.keys(compat).length > 0 && { compat: withOurNames(compat) }),
  } as Model;
}

function sortFields(given: Record<string, unknown>): {
  modelFields: Record<string, unknown>;
  flags: Record<string, unknown>;
} {
  const isModelField = ([name]: [string, unknown]): boolean => name in targetSchema.shape;
  const fields = Object.entries(given);
  return {
    modelFields: Object.fromEntries(fields.filter(isModelField)),
    flags: Object.fromEntries(fields.filter((field) => !isModelField(field))),
  };
}

/** Other systems name one flag by the format that it asks for. */
function withOurNames(compat: Record<string, unknown>): Record<string, unknown> {
  const { toolCallIdFormat, ...flags } = compat;
  return toolCallIdFormat === "mistral9" ? { ...flags, requiresShortToolCallIds: true } : flags;
}
