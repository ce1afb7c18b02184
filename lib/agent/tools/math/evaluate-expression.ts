/**
 * A calculator over mathjs. The library only parses and offers single functions; the tree is walked here, so that each
 * step can be checked before it is taken. Its own `evaluate` would let an expression define functions (endless
 * recursion), reach `import`, or fill the memory with `zeros(1e5, 1e5)`.
 */

import {
  type AccessorNode,
  type ArrayNode,
  type AssignmentNode,
  all,
  type BlockNode,
  type ConditionalNode,
  type ConstantNode,
  create,
  type FunctionNode,
  type IndexNode,
  type MathNode,
  type OperatorNode,
  type ParenthesisNode,
  type RangeNode,
  type RelationalNode,
  type SymbolNode,
} from "mathjs";
import { CONSTANTS, COUNTING_FUNCTIONS, CUBIC_FUNCTIONS, FUNCTIONS } from "./known-names.ts";
import { rewritePercentages } from "./percentages.ts";

const MAX_EXPRESSION_CHARS = 1_000;
const MAX_ELEMENTS = 10_000;
/** About a tenth of a second of elementary steps. */
const MAX_STEPS = 500_000;
/** The dearest function over a list, gcd, takes about so many. */
const STEPS_PER_ELEMENT = 10;
const SIGNIFICANT_DIGITS = 14;

const math = create(all ?? {}, { matrix: "Array" });
/** The library's typing knows no lookup by name; only names of `known-names` are looked up. */
const library = math as unknown as Record<string, (...args: unknown[]) => unknown>;

/** The value of an expression as text, numbers with 14 significant digits. Throws with a message for the model. */
export function evaluateExpression(expression: string): string {
  if (expression.length > MAX_EXPRESSION_CHARS) {
    throw new Error(
      `The expression is too long: ${expression.length} characters, at most ${MAX_EXPRESSION_CHARS}.`,
    );
  }
  const value = new Evaluation().evaluate(parse(expression));
  if (value === undefined || value === null) throw new Error("There is nothing to calculate.");
  return formatValue(value);
}

function parse(expression: string): MathNode {
  const plain = expression
    .replaceAll("**", "^")
    .replaceAll(/[×⋅·]/g, "*")
    .replaceAll("÷", "/")
    .replaceAll(/[−–]/g, "-")
    .replaceAll("π", "pi");
  try {
    return math.parse(rewritePercentages(plain));
  } catch (error) {
    if (error instanceof RangeError) throw new Error("The expression is nested too deeply.");
    // The library counts in the rewritten text, so its position would mislead.
    const problem = error instanceof Error ? error.message.replace(/ \(char \d+\)$/, "") : "";
    throw new Error(`The expression cannot be read: ${problem || "syntax error"}.`);
  }
}

function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return math.format(value, { precision: SIGNIFICANT_DIGITS, lowerExp: -7, upperExp: 15 });
}

class Evaluation {
  private readonly variables = new Map<string, unknown>();
  private stepsLeft = MAX_STEPS;

  evaluate(node: MathNode): unknown {
    this.charge(1);
    switch (node.type) {
      case "ConstantNode":
        return constant(node as ConstantNode);
      case "ParenthesisNode":
        return this.evaluate((node as ParenthesisNode).content);
      case "SymbolNode":
        return this.symbol((node as SymbolNode).name);
      case "OperatorNode":
        return this.operator(node as OperatorNode);
      case "FunctionNode":
        return this.functionCall(node as FunctionNode);
      case "ConditionalNode":
        return this.conditional(node as ConditionalNode);
      case "RelationalNode":
        return this.relation(node as RelationalNode);
      case "ArrayNode":
        return this.sized((node as ArrayNode).items.map((item) => this.evaluate(item)));
      case "RangeNode":
        return this.range(node as RangeNode);
      case "AccessorNode":
        return this.element(node as AccessorNode);
      case "AssignmentNode":
        return this.assignment(node as AssignmentNode);
      case "BlockNode":
        return (node as BlockNode).blocks.map((block) => this.evaluate(block.node)).at(-1);
      case "FunctionAssignmentNode":
        throw new Error("Functions cannot be defined here; write the expression out.");
      default:
        throw new Error("Only mathematical expressions can be evaluated.");
    }
  }

  private symbol(name: string): unknown {
    if (this.variables.has(name)) return this.variables.get(name);
    if (CONSTANTS.has(name)) return library[name];
    if (math.Unit.isValuelessUnit(name)) return math.unit(name);
    if (FUNCTIONS.has(name)) throw new Error(`${name} is a function: write ${name}(…).`);
    throw new Error(`Unknown name: ${name}.`);
  }

  private operator(node: OperatorNode): unknown {
    const [left, right] = node.args;
    // As on a pocket calculator: 200 + 10% adds a tenth of the 200.
    if (left && isPercentage(right) && (node.fn === "add" || node.fn === "subtract")) {
      const base = this.evaluate(left);
      return this.call(node.fn, [base, this.call("multiply", [base, this.evaluate(right)])]);
    }
    return this.call(
      node.fn,
      node.args.map((arg) => this.evaluate(arg)),
    );
  }

  private functionCall(node: FunctionNode): unknown {
    if (node.fn.type !== "SymbolNode") throw new Error("Only named functions can be called.");
    const { name } = node.fn as SymbolNode;
    const args = node.args.map((arg) => this.evaluate(arg));
    if (name === "percent") return this.call("divide", [args[0], 100]);
    // `a(b + c)` with a variable a is a product.
    if (this.variables.has(name) && args.length === 1) {
      return this.call("multiply", [this.variables.get(name), args[0]]);
    }
    return this.call(name, args);
  }

  private call(name: string, args: unknown[]): unknown {
    const run = FUNCTIONS.has(name) ? library[name] : undefined;
    if (!run) throw new Error(`Unknown function: ${name}.`);
    this.charge(price(name, args));
    return this.sized(run(...args));
  }

  private conditional(node: ConditionalNode): unknown {
    return this.evaluate(isTrue(this.evaluate(node.condition)) ? node.trueExpr : node.falseExpr);
  }

  private relation(node: RelationalNode): unknown {
    const values = node.params.map((param) => this.evaluate(param));
    return node.conditionals.every((name, index) =>
      isTrue(this.call(name, [values[index], values[index + 1]])),
    );
  }

  private range(node: RangeNode): unknown {
    const start = numberFrom(this.evaluate(node.start));
    const end = numberFrom(this.evaluate(node.end));
    const step = node.step ? numberFrom(this.evaluate(node.step)) : 1;
    const count = Math.floor((end - start) / step + 1e-9) + 1;
    if (!(count <= MAX_ELEMENTS)) throw tooManyElements();
    const values = Array.from({ length: Math.max(0, count) }, (_, index) => start + index * step);
    return this.sized(values);
  }

  private element(node: AccessorNode): unknown {
    const index = node.index as IndexNode & { isObjectProperty(): boolean };
    if (index.isObjectProperty()) throw new Error("Values have no properties.");
    let value = this.evaluate(node.object as MathNode);
    for (const dimension of index.dimensions) {
      const position = numberFrom(this.evaluate(dimension));
      if (!Array.isArray(value) || !(position >= 1 && position <= value.length)) {
        throw new Error(`There is no element ${position}; the first one is 1.`);
      }
      value = value[position - 1];
    }
    return value;
  }

  private assignment(node: AssignmentNode): unknown {
    if (node.index || node.object.type !== "SymbolNode") {
      throw new Error("Only a plain name can be assigned to.");
    }
    const value = this.evaluate(node.value);
    this.variables.set(node.name, value);
    return value;
  }

  private sized(value: unknown): unknown {
    const elements = elementCount(value);
    if (elements > MAX_ELEMENTS) throw tooManyElements();
    this.charge(elements);
    return value;
  }

  private charge(steps: number): void {
    this.stepsLeft -= steps;
    // Also ends it when the price is not a number.
    if (!(this.stepsLeft >= 0)) throw new Error("The calculation is too large for this tool.");
  }
}

const tooManyElements = (): Error =>
  new Error(`Lists and matrices can have ${MAX_ELEMENTS} elements at most.`);

const isPercentage = (node: MathNode | undefined): node is FunctionNode =>
  node?.type === "FunctionNode" &&
  (node as FunctionNode).fn.type === "SymbolNode" &&
  ((node as FunctionNode).fn as SymbolNode).name === "percent";

function constant(node: ConstantNode): unknown {
  const value: unknown = node.value;
  if (typeof value === "number" || typeof value === "boolean" || value === undefined) return value;
  throw new Error("Text cannot be calculated with; write numbers, units and functions.");
}

function isTrue(value: unknown): boolean {
  if (typeof value === "boolean" || typeof value === "number") return Boolean(value);
  throw new Error("A condition must be true or false.");
}

function numberFrom(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new Error("A finite number is needed here.");
}

/** Numbers and containers of a value; stops counting where it is too many anyway. */
function elementCount(value: unknown): number {
  if (!Array.isArray(value)) return 1;
  let count = 1;
  for (const item of value) {
    count += elementCount(item);
    if (count > MAX_ELEMENTS) break;
  }
  return count;
}

/** Steps of one library call, by its name and the sizes of its arguments. */
function price(name: string, args: unknown[]): number {
  const sizes = args.map(elementCount);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (COUNTING_FUNCTIONS.has(name)) return Math.abs(Math.max(...args.flat(3).map(Number)));
  if (name === "isPrime")
    return Math.max(...args.flat(3).map((n) => Math.sqrt(Math.abs(Number(n)))));
  const lists = args.filter(Array.isArray);
  if (lists.length === 0) return 1;
  if (CUBIC_FUNCTIONS.has(name)) {
    const longest = Math.max(...lists.map(longestSide));
    return total * longest * (name === "pow" ? squarings(args[1]) : 1);
  }
  // Lists of different shapes are spread over each other.
  const spread = lists.length > 1 && new Set(lists.map(shapeOf)).size > 1;
  return spread ? sizes.reduce((product, size) => product * size, 1) : total * STEPS_PER_ELEMENT;
}

/** Matrix products of a power; without end where the exponent is no number that the library can count down. */
const squarings = (exponent: unknown): number =>
  typeof exponent === "number" && Number.isSafeInteger(exponent)
    ? 2 + 2 * Math.log2(Math.abs(exponent) + 1)
    : Number.POSITIVE_INFINITY;

const longestSide = (list: unknown[]): number =>
  Math.max(list.length, Array.isArray(list[0]) ? list[0].length : 1);

const shapeOf = (list: unknown[]): string =>
  `${list.length}x${Array.isArray(list[0]) ? list[0].length : 0}`;
