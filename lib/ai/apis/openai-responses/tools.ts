import type { OpenAIResponsesCompat } from "../../compat.ts";
import type { ToolNames } from "../../tool-names.ts";
import { type ToolGrammar, toolGrammar, toolParameters } from "../../tool-schema.ts";
import type { Tool } from "../../types.ts";

/** The tools as the Responses API takes them. @throws when a tool must be held to a schema that cannot be */
export function convertTools(
  tools: Tool[],
  names: ToolNames,
  compat: OpenAIResponsesCompat,
): unknown[] {
  return tools.map((tool) => convertTool(tool, names, compat));
}

function convertTool(tool: Tool, names: ToolNames, compat: OpenAIResponsesCompat): unknown {
  const name = names.toVendor(tool.name);
  const { description } = tool;
  const grammar = grammarOf(tool, compat);
  if (grammar) {
    const { syntax, definition } = grammar;
    return { type: "custom", name, description, format: { type: "grammar", syntax, definition } };
  }
  const { schema, strict } = parametersOf(tool, compat);
  return {
    type: "function",
    name,
    description,
    parameters: schema,
    // Told outright, since the vendor's default is to hold every tool to its schema.
    ...(compat.supportsStrictMode && { strict }),
  };
}

function parametersOf(
  tool: Tool,
  compat: OpenAIResponsesCompat,
): ReturnType<typeof toolParameters> {
  return toolParameters(tool, { supportsStrict: compat.supportsStrictMode, dialect: "openai" });
}

/** Whether a tool goes out held to its schema, with every optional property as one that may be null. */
export function isStrict(tool: Tool, compat: OpenAIResponsesCompat): boolean {
  const sampling = tool.constrainedSampling || undefined;
  if (sampling?.type !== "json_schema" || !compat.supportsStrictMode) return false;
  return parametersOf(tool, compat).strict;
}

/** How a tool's input is held to a grammar; undefined for a tool or an endpoint that knows none. */
export function grammarOf(tool: Tool, compat: OpenAIResponsesCompat): ToolGrammar | undefined {
  return compat.supportsOpenAIGrammarTools ? toolGrammar(tool) : undefined;
}
