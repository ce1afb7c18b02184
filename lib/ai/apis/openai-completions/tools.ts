import type { OpenAICompletionsCompat } from "../../compat.ts";
import { cleanText } from "../../text.ts";
import type { ToolNames } from "../../tool-names.ts";
import { type ToolGrammar, toolGrammar, toolParameters } from "../../tool-schema.ts";
import type { JsonSchema, Tool } from "../../types.ts";

/** A tool as the vendor is told of it. */
export type WireTool =
  | {
      type: "function";
      function: { name: string; description: string; parameters: JsonSchema; strict?: true };
      cache_control?: unknown;
    }
  | {
      type: "custom";
      custom: {
        name: string;
        description: string;
        format: { type: "grammar"; grammar: { syntax: string; definition: string } };
      };
      cache_control?: unknown;
    };

/** The tools of one request, and what is needed to read their calls. */
export interface ToolTable {
  wireTool(tool: Tool): WireTool;
  /** The grammar of a tool that is sent as one with free-form input, by our name. */
  grammarOf(name: string): ToolGrammar | undefined;
  /** The own schema of a tool that is sent in its strict form, by our name. */
  looseSchemaOf(name: string): JsonSchema | undefined;
}

/**
 * @param tools every tool that the request mentions
 * @throws ProviderError for a tool that requires strict arguments and cannot have them
 */
export function createToolTable(
  tools: Tool[],
  names: ToolNames,
  compat: OpenAICompletionsCompat,
): ToolTable {
  const grammars = new Map<string, ToolGrammar>();
  const loose = new Map<string, JsonSchema>();
  const wire = new Map(tools.map((tool) => [tool.name, toWire(tool)]));

  function toWire(tool: Tool): WireTool {
    const name = names.toVendor(tool.name);
    const description = cleanText(tool.description ?? "");
    const grammar = compat.supportsOpenAIGrammarTools ? toolGrammar(tool) : undefined;
    if (grammar) {
      grammars.set(tool.name, grammar);
      const { syntax, definition } = grammar;
      return {
        type: "custom",
        custom: { name, description, format: { type: "grammar", grammar: { syntax, definition } } },
      };
    }
    const { schema, strict } = toolParameters(tool, {
      supportsStrict: compat.supportsStrictMode,
      dialect: "openai",
    });
    if (strict) loose.set(tool.name, tool.parameters);
    return {
      type: "function",
      function: { name, description, parameters: schema, ...(strict && { strict }) },
    };
  }

  return {
    wireTool: (tool) => wire.get(tool.name) ?? toWire(tool),
    grammarOf: (name) => grammars.get(name),
    looseSchemaOf: (name) => loose.get(name),
  };
}
