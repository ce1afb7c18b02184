import type { OpenAIResponsesCompat } from "../../compat.ts";
import type { ToolNames } from "../../tool-names.ts";
import type { Tool } from "../../types.ts";
import { isLoose } from "./loose.ts";

/** The tools as the Responses API takes them. */
export function convertTools(
  tools: Tool[],
  names: ToolNames,
  compat: OpenAIResponsesCompat,
): unknown[] {
  return tools.map((tool) => convertTool(tool, names, compat));
}

function convertTool(tool: Tool, names: ToolNames, compat: OpenAIResponsesCompat): unknown {
  const name = names.toVendor(tool.name);
  const grammar = grammarOf(tool, compat);
  if (grammar) {
    return {
      type: "custom",
      name,
      description: tool.description,
      format: { type: "grammar", syntax: grammar.syntax, definition: grammar.definition },
    };
  }
  return {
    type: "function",
    name,
    description: tool.description,
    parameters: tool.parameters,
    // Told outright, since the vendor's default is to hold every tool to its schema.
    ...(compat.supportsStrictMode && { strict: false }),
  };
}

export interface Grammar {
  syntax: "lark" | "regex";
  definition: string;
  /** The one string parameter that the text goes into. */
  parameter: string;
}

/** How a tool's input is held to a grammar; undefined for a tool or an endpoint that knows none. */
export function grammarOf(tool: Tool, compat: OpenAIResponsesCompat): Grammar | undefined {
  const sampling = tool.constrainedSampling;
  if (!compat.supportsOpenAIGrammarTools || !sampling || sampling.type !== "grammar") {
    return undefined;
  }
  const parameter = onlyStringParameter(tool);
  const { openai_lark: lark, openai_regex: regex } = sampling.variants;
  if (!parameter || (!lark && !regex)) return undefined;
  return lark
    ? { syntax: "lark", definition: lark, parameter }
    : { syntax: "regex", definition: regex as string, parameter };
}

/** The name of a tool's parameter if it has exactly one, and that is a required string. */
export function onlyStringParameter(tool: Tool): string | undefined {
  const { properties, required } = tool.parameters;
  if (!isLoose(properties)) return undefined;
  const [name, ...others] = Object.keys(properties);
  if (name === undefined || others.length > 0) return undefined;
  const schema = properties[name];
  const isString = isLoose(schema) && schema.type === "string";
  return isString && Array.isArray(required) && required.includes(name) ? name : undefined;
}
