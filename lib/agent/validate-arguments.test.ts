import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../ai/types.ts";
import { validateArguments } from "./validate-arguments.ts";

const check = (parameters: JsonSchema, args: Record<string, unknown>) =>
  validateArguments({ name: "t", description: "", parameters }, args);

const object = (properties: JsonSchema, required: string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});

/** Only the lines that name a field. */
const problems = (parameters: JsonSchema, args: Record<string, unknown>): string[] => {
  const checked = check(parameters, args);
  return checked.ok ? [] : checked.message.split("\n").filter((line) => line.startsWith("- "));
};

describe("L-135: mending", () => {
  it.each<[string, JsonSchema, unknown, unknown]>([
    ["a number in a text", { type: "number" }, "5", 5],
    ["a number with space and exponent", { type: "number" }, " 1.5e3 ", 1500],
    ["an integer in a text", { type: "integer" }, "-7", -7],
    ["a text that is a number", { type: "string" }, 5, "5"],
    ["a text that is a truth value", { type: "string" }, true, "true"],
    ["a truth value in a text", { type: "boolean" }, "false", false],
    ["a list in a text", { type: "array", items: { type: "number" } }, '["1", 2]', [1, 2]],
    ["one value for a list", { type: "array", items: { type: "string" } }, "a", ["a"]],
    ["an object in a text", { type: "object" }, '{"a":1}', { a: 1 }],
    [
      "a value deep inside",
      object({ b: { type: "array", items: object({ c: { type: "number" } }) } }),
      { b: [{ c: "1" }] },
      { b: [{ c: 1 }] },
    ],
    ["behind a reference", { $ref: "#/$defs/n" }, "5", 5],
    ["one of several types", { type: ["number", "null"] }, "5", 5],
    ["one of several schemas", { anyOf: [{ type: "boolean" }, { type: "number" }] }, "5", 5],
  ])("mends %s", (_kind, schema, value, mended) => {
    const parameters = { ...object({ x: schema }), $defs: { n: { type: "number" } } };
    expect(check(parameters, { x: value })).toEqual({ ok: true, args: { x: mended } });
  });

  it("leaves out null where a value may be absent, and keeps it where it is allowed", () => {
    const schema = object({ a: { type: "number" }, b: { type: ["string", "null"] } });
    expect(check(schema, { a: null, b: null })).toEqual({ ok: true, args: { b: null } });
    expect(problems(object({ a: { type: "number" } }, ["a"]), { a: null })).toEqual([
      "- a: is required",
    ]);
  });

  it("keeps what is valid as it is, on a copy", () => {
    const args = { x: "5", list: [1] };
    const checked = check(object({ x: { anyOf: [{ type: "string" }, { type: "number" }] } }), args);
    expect(checked).toEqual({ ok: true, args: { x: "5", list: [1] } });
    expect(checked.ok && checked.args.list).not.toBe(args.list);
  });

  it("does not change the model's own arguments", () => {
    const args = { x: "5" };
    check(object({ x: { type: "number" } }), args);
    expect(args).toEqual({ x: "5" });
  });

  it.each<[JsonSchema, unknown, string]>([
    [{ type: "number" }, "five", '- x: must be number; got "five"'],
    [{ type: "number" }, "", '- x: must be number; got ""'],
    [{ type: "number" }, true, "- x: must be number; got true"],
    [{ type: "integer" }, "1.5", '- x: must be integer; got "1.5"'],
    [{ type: "boolean" }, 1, "- x: must be boolean; got 1"],
    [{ type: "string" }, { a: 1 }, '- x: must be string; got {"a":1}'],
    [{ type: "object" }, "[1]", '- x: must be object; got "[1]"'],
  ])("does not guess: %j for %j", (schema, value, problem) => {
    expect(problems(object({ x: schema }), { x: value })).toEqual([problem]);
  });

  it("is safe from a key that names the prototype", () => {
    const args = JSON.parse('{"__proto__": "5"}') as Record<string, unknown>;
    const parameters = { type: "object", additionalProperties: { type: "number" } };
    expect(check(parameters, args).ok).toBe(false);
    expect(({} as Record<string, unknown>)["5"]).toBeUndefined();
  });
});

describe("L-135: messages", () => {
  it("list the allowed values of an enum", () => {
    const schema = object({ unit: { type: "string", enum: ["celsius", "fahrenheit"] } });
    expect(problems(schema, { unit: "kelvin" })).toEqual([
      '- unit: must be one of "celsius", "fahrenheit"; got "kelvin"',
    ]);
    expect(problems(object({ v: { const: 2 } }), { v: 3 })).toEqual(["- v: must be 2; got 3"]);
  });

  it("name fields by their path, all of them at once", () => {
    const schema = object(
      {
        stops: { type: "array", items: object({ city: { type: "string" } }, ["city"]) },
        "a/b": { type: "number", minimum: 1 },
        mail: { type: "string", format: "email" },
      },
      ["when"],
    );
    expect(problems(schema, { stops: [{ city: "A" }, {}], "a/b": 0, mail: "x" }).sort()).toEqual([
      "- a/b: must be >= 1; got 0",
      '- mail: must match format "email"; got "x"',
      "- stops[1].city: is required",
      "- when: is required",
    ]);
  });

  it("name a parameter that is none", () => {
    const schema = { ...object({ a: {} }), additionalProperties: false };
    expect(problems(schema, { a: 1, b: 2 })).toEqual(["- b: is not a parameter"]);
  });

  it("quote what was received, within bounds", () => {
    const checked = check(object({ x: { type: "number" } }), { x: "😀".repeat(10_000) });
    const message = checked.ok ? "" : checked.message;
    expect(message).toContain("\nReceived: {");
    expect(message.length).toBeLessThan(2_500);
    expect(message.isWellFormed()).toBe(true);
  });

  it("are at most twenty", () => {
    const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
    const lines = problems(object({}, names), {});
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("- and 30 more");
  });
});

describe("L-135: schemas from anywhere", () => {
  it.each<[string, JsonSchema]>([
    [
      "draft-07",
      { $schema: "http://json-schema.org/draft-07/schema#", ...object({ x: { type: "number" } }) },
    ],
    [
      "2020-12",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        ...object({ x: { type: "number" } }),
      },
    ],
    ["with an id, used twice", { $id: "same", ...object({ x: { type: "number" } }) }],
    ["with unknown words", { ...object({ x: { type: "number", "x-order": 1, format: "money" } }) }],
    [
      "with a list of items",
      { ...object({ x: { type: "number" }, y: { items: [{ type: "number" }] } }) },
    ],
    [
      "with a pattern that is no unicode one",
      object({ x: { type: "number" }, y: { pattern: "^[\\w-.]+$" } }),
    ],
  ])("%s are understood", (_kind, schema) => {
    expect(check(schema, { x: "1" })).toEqual({ ok: true, args: { x: 1 } });
    expect(check({ ...schema }, { x: "no" }).ok).toBe(false);
  });

  it("that make no sense are said to be the tool's fault", () => {
    const checked = check({ type: "object", properties: { x: { $ref: "#/nowhere" } } }, { x: 1 });
    expect(checked.ok ? "" : checked.message).toMatch(
      /^The tool t cannot be called: its parameter schema is not usable/,
    );
  });
});
