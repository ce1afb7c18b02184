import type { OpenAICompletionsCompat, TemplateValue } from "../../compat.ts";
import { thinkingBudget } from "../../thinking.ts";
import type { Model } from "../../types.ts";
import type { CompletionsOptions } from "./options.ts";

type Fields = Record<string, unknown>;

/** Tokens that stay for the answer when thinking shares its limit (P-174). */
const answerTokens = 1024;

/** The vendor's word for the level that a request thinks at; undefined when it does not think. */
export function effortOf(model: Model, options: CompletionsOptions): string | undefined {
  const level = options.reasoningEffort;
  return level && model.reasoning ? (model.thinkingLevelMap?.[level] ?? level) : undefined;
}

/** What tells a host how much to think, or not to: each has its own way. */
export function thinkingFields(
  model: Model,
  options: CompletionsOptions,
  compat: OpenAICompletionsCompat,
  maxTokens: number | undefined,
): Fields {
  if (!model.reasoning) return {};
  const effort = effortOf(model, options);
  const budget = effort === undefined ? undefined : budgetFor(options, maxTokens);
  const off = model.thinkingLevelMap?.off;
  const fields =
    effort === undefined
      ? fieldsWhenOff(off, compat)
      : fieldsWhenOn(model, options, compat, effort, budget);
  const budgetField =
    compat.thinkingTokenBudgetField ??
    (compat.supportsThinkingTokenBudget ? "thinking_token_budget" : undefined);
  return budgetField && budget ? { ...fields, [budgetField]: budget } : fields;
}

function fieldsWhenOn(
  model: Model,
  options: CompletionsOptions,
  compat: OpenAICompletionsCompat,
  effort: string,
  budget: number | undefined,
): Fields {
  const effortField = compat.supportsReasoningEffort ? { reasoning_effort: effort } : {};
  const values = { enabled: true, effort, budget };
  switch (compat.thinkingFormat) {
    case "openai":
      return effortField;
    case "openrouter":
      return { reasoning: { effort } };
    case "deepseek":
      return { thinking: { type: "enabled" }, ...effortField };
    case "zai":
      return { thinking: { type: "enabled", clear_thinking: false }, ...effortField };
    case "together":
      return { reasoning: { enabled: true }, ...effortField };
    case "qwen":
      return { enable_thinking: true, ...effortField };
    case "qwen-chat-template":
      return { chat_template_kwargs: { enable_thinking: true, preserve_thinking: true } };
    case "chat-template":
      return templateField("chat_template_kwargs", compat.chatTemplateKwargs, values);
    case "baseten":
      return {
        ...templateField("chat_template_args", compat.chatTemplateArgs, values),
        ...effortField,
      };
    case "string-thinking":
      return { thinking: effort };
    case "ant-ling": {
      const mapped = options.reasoningEffort && model.thinkingLevelMap?.[options.reasoningEffort];
      return typeof mapped === "string" ? { reasoning: { effort: mapped } } : {};
    }
  }
}

/** @param off the vendor's word for not thinking; null: the model cannot be kept from it */
function fieldsWhenOff(off: string | null | undefined, compat: OpenAICompletionsCompat): Fields {
  const effortField =
    typeof off === "string" && compat.supportsReasoningEffort ? { reasoning_effort: off } : {};
  const values = { enabled: false, effort: off ?? undefined, budget: undefined };
  switch (compat.thinkingFormat) {
    case "openai":
      return effortField;
    case "openrouter":
      return off === null ? {} : { reasoning: { effort: off ?? "none" } };
    case "deepseek":
      return off === null ? {} : { thinking: { type: "disabled" } };
    case "zai":
      return { thinking: { type: "disabled" } };
    case "together":
      return { reasoning: { enabled: false } };
    case "qwen":
      return { enable_thinking: false };
    case "qwen-chat-template":
      return { chat_template_kwargs: { enable_thinking: false, preserve_thinking: true } };
    case "chat-template":
      return templateField("chat_template_kwargs", compat.chatTemplateKwargs, values);
    case "baseten":
      return {
        ...templateField("chat_template_args", compat.chatTemplateArgs, values),
        ...effortField,
      };
    case "string-thinking":
      return off === null ? {} : { thinking: off ?? "none" };
    case "ant-ling":
      return {};
  }
}

interface TemplateVariables {
  enabled: boolean;
  effort: string | undefined;
  budget: number | undefined;
}

function templateField(
  field: string,
  template: Record<string, TemplateValue>,
  variables: TemplateVariables,
): Fields {
  const values: Fields = {};
  for (const [name, value] of Object.entries(template)) {
    if (typeof value !== "object") {
      values[name] = value;
    } else if (variables.enabled || !value.omitWhenOff) {
      // Model lists also write the variable with its group before it.
      const variable = value.$var.replace(/^thinking\./, "") as keyof TemplateVariables;
      if (variables[variable] !== undefined) values[name] = variables[variable];
    }
  }
  return Object.keys(values).length > 0 ? { [field]: values } : {};
}

function budgetFor(options: CompletionsOptions, maxTokens: number | undefined): number | undefined {
  if (!options.reasoningEffort) return undefined;
  const budget = thinkingBudget(options.reasoningEffort, options.thinkingBudgets);
  return maxTokens === undefined ? budget : Math.max(0, Math.min(budget, maxTokens - answerTokens));
}
