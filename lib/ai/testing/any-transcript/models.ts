import anthropic from "../../catalog/anthropic.json" with { type: "json" };
import { catalogModels } from "../../catalog/catalog-models.ts";
import cerebras from "../../catalog/cerebras.json" with { type: "json" };
import deepseek from "../../catalog/deepseek.json" with { type: "json" };
import fireworks from "../../catalog/fireworks.json" with { type: "json" };
import google from "../../catalog/google.json" with { type: "json" };
import groq from "../../catalog/groq.json" with { type: "json" };
import mistral from "../../catalog/mistral.json" with { type: "json" };
import moonshotai from "../../catalog/moonshotai.json" with { type: "json" };
import openai from "../../catalog/openai.json" with { type: "json" };
import openrouter from "../../catalog/openrouter.json" with { type: "json" };
import xai from "../../catalog/xai.json" with { type: "json" };
import zai from "../../catalog/zai.json" with { type: "json" };
import type { KnownApi, Model } from "../../types.ts";
import { testModel } from "../run-stream.ts";

const catalog: Model[] = Object.entries({
  anthropic,
  cerebras,
  deepseek,
  fireworks,
  google,
  groq,
  mistral,
  moonshotai,
  openai,
  openrouter,
  xai,
  zai,
}).flatMap(([provider, facts]) => catalogModels(provider, facts));

/** Of each provider and api the models whose ids fit; a refreshed catalog may have others, so some fit by generation. */
function pick(api: KnownApi, provider: string, ...ids: RegExp[]): Model[] {
  return ids.flatMap((id) => {
    const found = catalog.find(
      (model) => model.api === api && model.provider === provider && id.test(model.id),
    );
    return found ? [found] : [];
  });
}

/** A model that no catalog knows, on a host of one's own. */
function local(api: KnownApi, provider: string, compat: object = {}, id = "local"): Model {
  return testModel({ api, provider, id, baseUrl: "http://127.0.0.1:9/v1", compat });
}

function variant(model: Model | undefined, fields: Partial<Model>): Model[] {
  return model ? [{ ...model, ...fields, compat: { ...model.compat, ...fields.compat } }] : [];
}

const [sonnet, ...otherClaudes] = pick(
  "anthropic-messages",
  "anthropic",
  /sonnet-4-5/,
  /haiku-4-5/,
  /opus-4-6/,
  /opus-4-7/,
  /opus-4-8/,
  /fable-5/,
);
const [gpt, ...otherGpts] = pick(
  "openai-responses",
  "openai",
  /^gpt-5$/,
  /^gpt-4\.1$/,
  /^gpt-4$/,
  /^gpt-5\.[45]$/,
);
const geminis = pick(
  "google-generative-ai",
  "google",
  /^gemini-2\.5-flash$/,
  /^gemini-2\.5-pro$/,
  /^gemini-2\.5-flash-lite$/,
  /^gemini-3/,
  /-latest$/,
  /^gemma/,
);

/** Models of every api and what hosts do otherwise: those of the catalog, and variants of flags. */
export const requestModels: Record<KnownApi, Model[]> = {
  "anthropic-messages": [
    ...(sonnet ? [sonnet] : []),
    ...otherClaudes,
    ...pick("anthropic-messages", "fireworks", /./),
    ...pick("anthropic-messages", "openrouter", /./),
    ...variant(sonnet, { compat: { supportsMidConvoSystemMessages: true } }),
    ...variant(sonnet, { input: ["text"], maxTokens: 0, contextWindow: 0 }),
    ...variant(sonnet, { reasoning: false, compat: { supportsStrictTools: true } }),
    local("anthropic-messages", "local", { allowEmptySignature: true }),
  ],
  "google-generative-ai": [
    ...geminis,
    ...geminis.slice(0, 1).flatMap((model) => variant(model, { input: ["text"] })),
    local("google-generative-ai", "local", { toolCallIds: true }, "claude-on-google"),
  ],
  "openai-completions": [
    ...pick("openai-completions", "deepseek", /pro/, /flash/),
    ...pick("openai-completions", "mistral", /large/, /codestral/),
    ...pick("openai-completions", "groq", /gpt-oss/, /qwen/),
    ...pick("openai-completions", "cerebras", /./),
    ...pick("openai-completions", "moonshotai", /k2/, /k3/),
    ...pick("openai-completions", "zai", /./),
    ...pick("openai-completions", "openrouter", /^anthropic\//, /^openai\//, /gemini/),
    ...pick("openai-completions", "fireworks", /./),
    {
      ...testModel({
        api: "openai-completions",
        provider: "openai",
        id: "gpt-5-mini",
        baseUrl: "https://api.openai.com/v1",
      }),
      compat: { supportsStrictMode: true, supportsOpenAIGrammarTools: true },
    },
    local("openai-completions", "ollama"),
    local("openai-completions", "litellm"),
    local("openai-completions", "own", {
      requiresAssistantAfterToolResult: true,
      requiresToolResultName: true,
      requiresThinkingAsText: true,
    }),
    local("openai-completions", "own", {
      requiresNonNullAssistantContent: true,
      supportsMidConvoSystemMessages: true,
      supportsMidConvoToolAdditions: true,
      cacheControlFormat: "anthropic",
    }),
  ],
  "openai-responses": [
    ...(gpt ? [gpt] : []),
    ...otherGpts,
    ...pick("openai-responses", "xai", /./),
    ...variant(gpt, { compat: { supportsMidConvoSystemMessages: true } }),
    ...variant(gpt, {
      compat: { supportsMidConvoSystemMessages: true, supportsAdditionalTools: true },
    }),
    ...variant(gpt, { compat: { supportsStrictMode: false, supportsOpenAIGrammarTools: false } }),
    local("openai-responses", "vllm"),
    local("openai-responses", "deepseek"),
  ],
};
