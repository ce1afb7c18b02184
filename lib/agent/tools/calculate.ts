import type { AgentTool, AgentToolResult } from "../types.ts";

/** Works out an expression with a maths library; no code of the model is ever run. `details` is `{expression, result}`. */
export function calculateTool(): AgentTool {
  return {
    name: "calculate",
    label: "Calculator",
    description:
      "Evaluates a mathematical expression exactly as written and returns the result. Knows + - * / ^ %, comparison, functions such as sqrt, sin, log, round, mean, combinations, units (5 km to mile), percentages (12.5% of 840), complex numbers, matrices, and variables (a = 3; a^2).",
    parameters: {
      type: "object",
      properties: {
        expression: {
          type: "string",
          description: 'Such as "2 * (3 + 4)^2", "12.5% of 840" or "sqrt(2)".',
        },
      },
      required: ["expression"],
      additionalProperties: false,
    },
    execute: async (_toolCallId, args) => calculate(String(args.expression)),
  };
}

async function calculate(expression: string): Promise<AgentToolResult> {
  // The library is large, and most conversations never calculate.
  const { evaluateExpression } = await import("./math/evaluate-expression.ts");
  const result = evaluateExpression(expression);
  return { content: [{ type: "text", text: result }], details: { expression, result } };
}
