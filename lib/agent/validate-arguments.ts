/** Arguments against a tool's JSON Schema (L-135): what can be mended is, what cannot is explained to the model. */

import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema, Tool } from "../ai/types.ts";
import { describeThrown } from "./describe-thrown.ts";
import { mendArguments } from "./mend-arguments.ts";

export type ValidatedArguments =
  | { ok: true; args: Record<string, unknown> }
  | { ok: false; message: string };

/** Mending one value can bring the next mistake to light, such as a number inside a list that was a string. */
const MENDING_ROUNDS = 4;
const LISTED_PROBLEMS = 20;
const QUOTED_ARGUMENTS_CHARS = 2_000;
const QUOTED_VALUE_CHARS = 100;

/**
 * Checks a copy of the arguments and mends what JSON Schema leaves no doubt about, such as "5" where a number belongs.
 * The message of a failure names each field by its path, says what is allowed there, and quotes what was received.
 */
export function validateArguments(
  tool: Tool,
  received: Record<string, unknown>,
): ValidatedArguments {
  let validate: ValidateFunction;
  try {
    validate = validatorOf(tool.parameters);
  } catch (error) {
    return {
      ok: false,
      message: `The tool ${tool.name} cannot be called: its parameter schema is not usable (${describeThrown(error)}).`,
    };
  }
  const args = structuredClone(received);
  for (let round = 0; ; round++) {
    if (validate(args)) return { ok: true, args };
    const errors = validate.errors ?? [];
    if (round === MENDING_ROUNDS || !mendArguments(args, errors)) {
      return { ok: false, message: explain(tool.name, errors, received) };
    }
  }
}

const validators = new WeakMap<JsonSchema, ValidateFunction>();

function validatorOf(schema: JsonSchema): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  const compiled = compile(schema);
  validators.set(schema, compiled);
  return compiled;
}

const COMMON: Options = {
  strict: false,
  allErrors: true,
  // `data` is the value at fault and `parentSchema` what was said of it: mending and messages need both.
  verbose: true,
  // Two tools may give their schemas the same $id.
  addUsedSchema: false,
  validateSchema: false,
  logger: false,
};

/** Tools come from many places: the newest dialect first, then the older one, then patterns that are no unicode ones. */
function compile(schema: JsonSchema): ValidateFunction {
  const { $schema: dialect, ...body } = schema;
  const newest = (): Ajv => new Ajv2020(COMMON);
  const older = (): Ajv => new Ajv(COMMON);
  const lenient = (): Ajv => new Ajv({ ...COMMON, unicodeRegExp: false });
  const isOld = typeof dialect === "string" && /draft-0[4-7]/.test(dialect);
  const candidates = isOld ? [older, lenient, newest] : [newest, older, lenient];
  let failure: unknown;
  for (const candidate of candidates) {
    try {
      return addFormats.default(candidate()).compile(body);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function explain(name: string, errors: ErrorObject[], received: Record<string, unknown>): string {
  const problems = [...new Set(errors.filter(saysSomething).map(describeProblem))];
  const listed = problems.slice(0, LISTED_PROBLEMS);
  if (problems.length > listed.length) {
    listed.push(`and ${problems.length - listed.length} more`);
  }
  return [
    `The arguments for ${name} do not fit its parameters, so it was not run:`,
    ...listed.map((problem) => `- ${problem}`),
    `Received: ${quote(received, QUOTED_ARGUMENTS_CHARS)}`,
  ].join("\n");
}

/** `if` only repeats that one of its branches failed. */
const saysSomething = (error: ErrorObject): boolean => error.keyword !== "if";

function describeProblem(error: ErrorObject): string {
  const path = fieldPath(error.instancePath);
  switch (error.keyword) {
    case "required":
      return `${fieldPath(`${error.instancePath}/${escapePointer(String(error.params.missingProperty))}`)}: is required`;
    case "additionalProperties":
    case "unevaluatedProperties": {
      const extra = String(error.params.additionalProperty ?? error.params.unevaluatedProperty);
      return `${fieldPath(`${error.instancePath}/${escapePointer(extra)}`)}: is not a parameter`;
    }
    case "enum": {
      const allowed = (error.params.allowedValues as unknown[]).map((value) =>
        JSON.stringify(value),
      );
      return `${path}: must be one of ${allowed.join(", ")}; got ${quote(error.data)}`;
    }
    case "const":
      return `${path}: must be ${JSON.stringify(error.params.allowedValue)}; got ${quote(error.data)}`;
    case "type":
      return `${path}: must be ${[error.params.type].flat().join(" or ")}; got ${quote(error.data)}`;
    default:
      return `${path}: ${error.message ?? `fails ${error.keyword}`}; got ${quote(error.data)}`;
  }
}

const escapePointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** `/items/0/unit price` as `items[0].unit price`; the whole object as `(arguments)`. */
function fieldPath(pointer: string): string {
  if (pointer === "") return "(arguments)";
  const path = pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join("");
  return path.startsWith(".") ? path.slice(1) : path;
}

function quote(value: unknown, maxChars = QUOTED_VALUE_CHARS): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > maxChars ? `${text.slice(0, maxChars).toWellFormed()}…` : text;
}
