import type { GoogleGenerativeAICompat } from "../../compat.ts";
import { ProviderError } from "../../errors.ts";
import type { ToolNames } from "../../tool-names.ts";
import type { JsonSchema, Tool } from "../../types.ts";
import type { GoogleToolChoice } from "./options.ts";
import { geminiSchema } from "./schema.ts";

export interface VendorTools {
  functionDeclarations: {
    name: string;
    description: string;
    parametersJsonSchema: JsonSchema;
  }[];
}

export function convertTools(tools: Tool[], names: ToolNames): VendorTools[] | undefined {
  if (tools.length === 0) return undefined;
  return [
    {
      functionDeclarations: tools.map((tool) => ({
        name: names.toVendor(tool.name),
        description: tool.description ?? "",
        parametersJsonSchema: geminiSchema(tool.parameters),
      })),
    },
  ];
}

/**
 * How the model may call: as asked for, and held to the schemas when a tool wants that and the model can. undefined: not said.
 * @throws ProviderError when a tool requires strict arguments and cannot have them; the message names it
 */
export function convertToolChoice(
  choice: GoogleToolChoice | undefined,
  tools: Tool[],
  compat: GoogleGenerativeAICompat,
): { functionCallingConfig: { mode: string } } | undefined {
  if (tools.length === 0) return undefined;
  const wanted = (strict: "prefer" | "require"): Tool | undefined =>
    tools.find(
      ({ constrainedSampling: sampling }) =>
        sampling && sampling.type === "json_schema" && sampling.strict === strict,
    );
  const required = wanted("require");
  if (required && !compat.supportsValidatedMode) {
    throw new ProviderError(
      `The tool ${required.name} requires strict arguments, which this model cannot promise.`,
      { errorClass: "invalid-request" },
    );
  }
  const validated = compat.supportsValidatedMode && (required ?? wanted("prefer"));
  const mode = validated && (choice ?? "auto") === "auto" ? "VALIDATED" : choice?.toUpperCase();
  return mode ? { functionCallingConfig: { mode } } : undefined;
}
