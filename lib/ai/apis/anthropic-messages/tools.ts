import type { AnthropicMessagesCompat } from "../../compat.ts";
import type { ToolNames } from "../../tool-names.ts";
import { toolParameters } from "../../tool-schema.ts";
import type { JsonSchema, Tool } from "../../types.ts";
import { isRecord } from "../../vendor-json.ts";
import type { AnthropicToolChoice } from "./options.ts";

export interface VendorTool {
  name: string;
  description: string;
  input_schema: JsonSchema;
  eager_input_streaming?: true;
  strict?: true;
  cache_control?: unknown;
}

export interface ConvertedTools {
  tools: VendorTool[];
  /** Vendor names of tools that may go without strictness, and the schemas that they have then. */
  preferredStrict: Map<string, JsonSchema>;
}

/** Fields of a root schema that this vendor reads. It takes no union there. */
const rootFields = ["properties", "required", "additionalProperties", "$defs", "definitions"];

/** @throws ProviderError when a tool requires strict arguments and cannot have them; the message names it */
export function convertTools(
  tools: Tool[],
  compat: AnthropicMessagesCompat,
  names: ToolNames,
): ConvertedTools {
  const preferredStrict = new Map<string, JsonSchema>();
  const converted = tools.map((tool): VendorTool => {
    const name = names.toVendor(tool.name);
    const { schema, strict } = toolParameters(tool, {
      supportsStrict: compat.supportsStrictTools,
      dialect: "anthropic",
    });
    if (strict && prefersStrict(tool)) preferredStrict.set(name, inputSchema(tool.parameters));
    return {
      name,
      description: tool.description ?? "",
      input_schema: inputSchema(schema),
      ...(compat.supportsEagerToolInputStreaming && { eager_input_streaming: true as const }),
      ...(strict && { strict: true as const }),
    };
  });
  return { tools: converted, preferredStrict };
}

function inputSchema(parameters: JsonSchema | undefined): JsonSchema {
  const schema: JsonSchema = { type: "object", properties: {} };
  for (const field of rootFields) {
    if (parameters?.[field] !== undefined) schema[field] = parameters[field];
  }
  if (!isRecord(schema.properties)) schema.properties = {};
  return schema;
}

function prefersStrict({ constrainedSampling: sampling }: Tool): boolean {
  return !!sampling && sampling.type === "json_schema" && sampling.strict === "prefer";
}

/**
 * The vendor's form of a tool choice, or undefined to leave it out: it is refused without tools, and thinking by budget
 * leaves no choice but `auto` and `none`.
 */
export function convertToolChoice(
  choice: AnthropicToolChoice | undefined,
  names: ToolNames,
  state: { hasTools: boolean; budgetThinking: boolean },
): { type: string; name?: string } | undefined {
  if (choice === undefined || !state.hasTools) return undefined;
  const wanted = typeof choice === "string" ? { type: choice } : choice;
  if (state.budgetThinking && wanted.type !== "auto" && wanted.type !== "none") return undefined;
  return "name" in wanted ? { ...wanted, name: names.toVendor(wanted.name) } : wanted;
}
