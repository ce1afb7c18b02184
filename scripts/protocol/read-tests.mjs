import { parseSync } from "vite";

/** @typedef {{ type: string, [field: string]: unknown }} SyntaxNode */

/** What makes of `it` and `test` something that does not run, or no test. */
const notATest = new Set(["skip", "todo", "fixme", "describe", "step"]);

/**
 * The names of all tests in a source file, as they are written: those of `it.each` with their placeholders. Tests that are
 * skipped are left out.
 *
 * @param {string} path for the language and for messages
 * @param {string} source
 * @returns {Set<string>}
 */
export function readTestNames(path, source) {
  const { program, errors } = parseSync(path, source);
  const failure = errors.find((error) => error.severity === "Error");
  if (failure) throw new Error(`${path} cannot be read: ${failure.message}`);
  /** @type {Set<string>} */
  const names = new Set();
  walk(program, (node) => {
    if (node.type !== "CallExpression" || !isTest(node.callee)) return;
    const name = textOf(/** @type {unknown[]} */ (node.arguments)[0]);
    if (name !== undefined) names.add(name);
  });
  return names;
}

/**
 * `it` and `test`, with `.each(…)` and the like behind them, but not those that do not run.
 *
 * @param {unknown} callee
 * @returns {boolean}
 */
function isTest(callee) {
  if (!isNode(callee)) return false;
  switch (callee.type) {
    case "Identifier":
      return callee.name === "it" || callee.name === "test";
    case "MemberExpression": {
      const property = isNode(callee.property) ? callee.property.name : undefined;
      return !notATest.has(String(property)) && isTest(callee.object);
    }
    case "CallExpression":
      return isTest(callee.callee);
    default:
      return false;
  }
}

/**
 * @param {unknown} node
 * @returns {string | undefined}
 */
function textOf(node) {
  if (!isNode(node)) return undefined;
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type !== "TemplateLiteral") return undefined;
  const pieces = /** @type {{ value: { cooked: string } }[]} */ (node.quasis);
  return pieces.map(({ value }) => value.cooked).join("…");
}

/**
 * @param {unknown} node
 * @param {(node: SyntaxNode) => void} visit
 */
function walk(node, visit) {
  if (Array.isArray(node)) for (const inner of node) walk(inner, visit);
  if (!isNode(node)) return;
  visit(node);
  for (const inner of Object.values(node)) if (typeof inner === "object") walk(inner, visit);
}

/**
 * @param {unknown} value
 * @returns {value is SyntaxNode}
 */
function isNode(value) {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}
