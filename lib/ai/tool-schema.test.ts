import { describe, expect, it } from "vitest";
import { dropAddedNulls, strictSchema, toolGrammar, toolParameters } from "./tool-schema.ts";
import type { ConstrainedSampling, JsonSchema, Tool } from "./types.ts";

const openai = { supportsStrict: true, dialect: "openai" } as const;

function tool(parameters: JsonSchema, constrainedSampling?: ConstrainedSampling): Tool {
  return { name: "book", description: "Books a table.", parameters, constrainedSampling };
}
const prefer = { type: "json_schema", strict: "prefer" } as const;
const require = { type: "json_schema", strict: "require" } as const;

const optionalGuests = {
  type: "object",
  properties: { place: { type: "string" }, guests: { type: "integer", default: 2 } },
  required: ["place"],
};

describe("strict schemas", () => {
  it("closes objects, requires every property and makes optional ones nullable", () => {
    const before = structuredClone(optionalGuests);
    expect(strictSchema(optionalGuests, "openai")).toEqual({
      schema: {
        type: "object",
        properties: { place: { type: "string" }, guests: { type: ["integer", "null"] } },
        required: ["place", "guests"],
        additionalProperties: false,
      },
    });
    expect(optionalGuests).toEqual(before);
  });

  it("goes through nested objects, arrays and unions", () => {
    const converted = strictSchema(
      {
        type: "object",
        properties: {
          seat: { type: "object", properties: { row: { type: "number" } } },
          tags: { type: "array", items: { enum: ["a", "b"] } },
          kind: { const: "x" },
          level: { type: "string", enum: ["low", "high"] },
          either: { anyOf: [{ type: "string" }, { type: "number" }] },
        },
        required: ["tags"],
      },
      "openai",
    );
    expect(converted).toEqual({
      schema: {
        type: "object",
        properties: {
          seat: {
            anyOf: [
              {
                type: "object",
                properties: { row: { type: ["number", "null"] } },
                required: ["row"],
                additionalProperties: false,
              },
              { type: "null" },
            ],
          },
          tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
          kind: { type: ["string", "null"], enum: ["x", null] },
          level: { type: ["string", "null"], enum: ["low", "high", null] },
          either: { anyOf: [{ type: "string" }, { type: "number" }, { type: "null" }] },
        },
        required: ["seat", "tags", "kind", "level", "either"],
        additionalProperties: false,
      },
    });
  });

  it("takes a tool without parameters", () => {
    expect(strictSchema({}, "openai")).toEqual({
      schema: { type: "object", properties: {}, required: [], additionalProperties: false },
    });
  });

  it.each<[string, unknown]>([
    ["$ref", { $ref: "#/$defs/place" }],
    ["allOf", { allOf: [{ type: "string" }] }],
    ["oneOf", { oneOf: [{ type: "string" }, { type: "number" }] }],
    ["not", { type: "string", not: { const: "x" } }],
    ["if", { type: "string", if: { const: "x" } }],
    ["patternProperties", { type: "object", patternProperties: { "^x": { type: "string" } } }],
    ["dependentRequired", { type: "object", dependentRequired: { a: ["b"] } }],
    ["unevaluatedProperties", { type: "object", unevaluatedProperties: false }],
    ["prefixItems", { type: "array", prefixItems: [{ type: "string" }] }],
    ["a tuple", { type: "array", items: [{ type: "string" }] }],
    ["a boolean schema", true],
    ["an untyped node", { description: "anything" }],
    ["a union with an object", { type: ["object", "string"] }],
    ["a union of objects", { anyOf: [{ type: "object" }, { type: "array", items: {} }] }],
    ["two object variants", { anyOf: [{ type: "object" }, { type: "object" }] }],
    ["additional properties", { type: "object", additionalProperties: true }],
    ["an additional schema", { type: "object", additionalProperties: { type: "string" } }],
  ])("refuses %s", (_name, property) => {
    const converted = strictSchema(
      { type: "object", properties: { x: property }, required: ["x"] },
      "openai",
    );
    expect(converted).toEqual({ reason: expect.stringContaining("parameters.x") });
  });

  it("refuses definitions at the root, and a required property that is not described", () => {
    expect(strictSchema({ type: "object", $defs: {} }, "openai")).toEqual({
      reason: "parameters uses $defs",
    });
    expect(strictSchema({ type: "object", properties: {}, required: ["x"] }, "openai")).toEqual({
      reason: "parameters requires x without saying what it is",
    });
  });

  it("leaves out for OpenAI what Anthropic's strict mode refuses outright", () => {
    const parameters = {
      type: "object",
      properties: { link: { type: "string", format: "iri", minLength: 3 } },
      required: ["link"],
    };
    expect(strictSchema(parameters, "openai")).toEqual({
      schema: {
        type: "object",
        properties: { link: { type: "string" } },
        required: ["link"],
        additionalProperties: false,
      },
    });
    expect(strictSchema(parameters, "anthropic")).toEqual({
      reason: "parameters.link uses minLength",
    });
  });

  it.each<[string, JsonSchema]>([
    ["minimum", { type: "number", minimum: 0 }],
    ["maxItems", { type: "array", items: { type: "string" }, maxItems: 3 }],
    ["minItems above 1", { type: "array", items: { type: "string" }, minItems: 2 }],
    ["minProperties", { type: "object", minProperties: 1 }],
    ["the format iri", { type: "string", format: "iri" }],
  ])("Anthropic refuses %s", (reason, property) => {
    const parameters = { type: "object", properties: { x: property }, required: ["x"] };
    expect(strictSchema(parameters, "anthropic")).toEqual({
      reason: `parameters.x uses ${reason}`,
    });
  });

  it("Anthropic takes minItems 1 and its own formats", () => {
    const parameters = {
      type: "object",
      properties: {
        x: { type: "array", items: { type: "string", format: "uri" }, minItems: 1 },
      },
      required: ["x"],
      additionalProperties: false,
    };
    expect(strictSchema(parameters, "anthropic")).toEqual({ schema: parameters });
  });
});

describe("a tool's parameters", () => {
  const loose = { type: "object", properties: {}, additionalProperties: true };

  it("are sent as they are when nothing strict is asked for", () => {
    expect(toolParameters(tool(optionalGuests), openai)).toEqual({
      schema: optionalGuests,
      strict: false,
    });
    expect(toolParameters(tool({}), openai)).toEqual({
      schema: { type: "object", properties: {} },
      strict: false,
    });
  });

  it("prefer: strict where it can be had, otherwise as they are", () => {
    expect(toolParameters(tool(optionalGuests, prefer), openai).strict).toBe(true);
    expect(toolParameters(tool(loose, prefer), openai)).toEqual({ schema: loose, strict: false });
    expect(
      toolParameters(tool(optionalGuests, prefer), { ...openai, supportsStrict: false }),
    ).toEqual({ schema: optionalGuests, strict: false });
  });

  it("require: fails with the tool's name", () => {
    expect(() => toolParameters(tool(loose, require), openai)).toThrow(
      "The tool book requires strict arguments, which cannot be had: parameters allows additional properties.",
    );
    expect(() =>
      toolParameters(tool(optionalGuests, require), { ...openai, supportsStrict: false }),
    ).toThrow(/book requires strict arguments/);
  });
});

describe("nulls that only strict mode allows", () => {
  it("are taken out again, the tool's own stay", () => {
    const parameters = {
      type: "object",
      properties: {
        place: { type: ["string", "null"] },
        guests: { type: "integer" },
        seats: {
          type: "array",
          items: { type: "object", properties: { row: { type: "number" } } },
        },
        any: {},
      },
      required: [],
    };
    expect(
      dropAddedNulls(
        { place: null, guests: null, seats: [{ row: null }, { row: 2 }], any: null, other: null },
        parameters,
      ),
    ).toEqual({ place: null, seats: [{}, { row: 2 }], any: null, other: null });
  });

  it("stay where the property is required", () => {
    const parameters = {
      type: "object",
      properties: { place: { type: "string" } },
      required: ["place"],
    };
    expect(dropAddedNulls({ place: null }, parameters)).toEqual({ place: null });
  });
});

describe("grammar tools", () => {
  const query = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
  const both = {
    type: "grammar",
    variants: { openai_lark: "start: A", openai_regex: "a+" },
  } as const;

  it("prefer lark over a regex", () => {
    expect(toolGrammar(tool(query, both))).toEqual({
      syntax: "lark",
      definition: "start: A",
      property: "q",
    });
    expect(toolGrammar(tool(query, { type: "grammar", variants: { openai_regex: "a+" } }))).toEqual(
      { syntax: "regex", definition: "a+", property: "q" },
    );
  });

  it("need exactly one required string", () => {
    expect(toolGrammar(tool({ ...query, required: [] }, both))).toBeUndefined();
    expect(
      toolGrammar(tool({ ...query, properties: { q: { type: "number" } } }, both)),
    ).toBeUndefined();
    expect(
      toolGrammar(
        tool({ ...query, properties: { q: { type: "string" }, r: { type: "string" } } }, both),
      ),
    ).toBeUndefined();
    expect(toolGrammar(tool(query, prefer))).toBeUndefined();
  });
});

describe("a union at the root", () => {
  it("becomes one object, strict or not, since no host takes it there", () => {
    const place = { type: "string" };
    const schema = { anyOf: [{ type: "object", properties: { place }, required: ["place"] }] };
    const plain = { type: "object", properties: { place }, required: ["place"] };
    expect(toolParameters(tool(schema), openai)).toEqual({ schema: plain, strict: false });
    expect(toolParameters(tool(schema, prefer), openai)).toEqual({
      schema: { ...plain, additionalProperties: false },
      strict: true,
    });
  });
});
