import { parseSync } from "vite";

/** @typedef {{ specifier: string, line: number }} ImportRead */

/**
 * Every module that a source file names: imports and re-exports (of types too), `import()` as an expression and as a type,
 * and `require`.
 *
 * @param {string} path for the language and for messages
 * @param {string} source
 * @returns {ImportRead[]}
 */
export function readImports(path, source) {
  const { program, errors } = parseSync(path, source);
  const failure = errors.find((error) => error.severity === "Error");
  if (failure) throw new Error(`${path} cannot be read: ${failure.message}`);
  /** @type {ImportRead[]} */
  const found = [];
  walk(program, (node) => {
    const specifier = specifierOf(node);
    if (specifier === undefined) return;
    found.push({ specifier, line: source.slice(0, node.start).split("\n").length });
  });
  return found;
}

/**
 * @typedef {{ type: string, start: number, [field: string]: unknown }} SyntaxNode
 */

/**
 * @param {SyntaxNode} node
 * @returns {string | undefined}
 */
function specifierOf(node) {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return literal(node.source);
    case "TSExternalModuleReference":
      return literal(node.expression);
    case "CallExpression": {
      const callee = /** @type {SyntaxNode} */ (node.callee);
      const isRequire = callee.type === "Identifier" && callee.name === "require";
      return isRequire ? literal(/** @type {unknown[]} */ (node.arguments)[0]) : undefined;
    }
    default:
      return undefined;
  }
}

/** @param {unknown} node */
function literal(node) {
  if (typeof node !== "object" || node === null || !("type" in node)) return undefined;
  if (node.type !== "Literal" || !("value" in node)) return undefined;
  return typeof node.value === "string" ? node.value : undefined;
}

/**
 * @param {unknown} value
 * @param {(node: SyntaxNode) => void} visit
 */
function walk(value, visit) {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
  } else if (typeof value === "object" && value !== null) {
    if ("type" in value && typeof value.type === "string") {
      visit(/** @type {SyntaxNode} */ (value));
    }
    for (const inner of Object.values(value)) walk(inner, visit);
  }
}
