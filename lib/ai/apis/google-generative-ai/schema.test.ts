import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../types.ts";
import { geminiSchema } from "./schema.ts";

const property = (schema: unknown, more: JsonSchema = {}): unknown =>
  (geminiSchema({ type: "object", properties: { p: schema }, ...more }).properties as JsonSchema).p;

describe("a tool's schema for Gemini", () => {
  it("puts references in place, with what stands beside them", () => {
    const $defs = { city: { type: "string", description: "A city" } };
    expect(property({ $ref: "#/$defs/city" }, { $defs })).toEqual({
      type: "string",
      description: "A city",
    });
    expect(property({ $ref: "#/$defs/city", description: "Home" }, { $defs })).toEqual({
      type: "string",
      description: "Home",
    });
    expect(property({ $ref: "#/$defs/gone" })).toEqual({
      type: "object",
      description: "(see #/$defs/gone)",
    });
  });

  it("ends a circle of references", () => {
    const $defs = {
      node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } },
    };
    expect(property({ $ref: "#/$defs/node" }, { $defs })).toEqual({
      type: "object",
      properties: {
        next: {
          type: "object",
          description: "(the same shape again)",
        },
      },
    });
  });

  it("stays small where references double at every step", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `d${at}`,
        {
          type: "array",
          items: { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
        },
      ]),
    );
    expect(JSON.stringify(property({ $ref: "#/$defs/d0" }, { $defs })).length).toBeLessThan(
      200_000,
    );
  });

  it("says in its own words what it cannot say by keywords", () => {
    expect(property({ const: "x" })).toEqual({ type: "string", enum: ["x"] });
    expect(property({ enum: ["a", null] })).toEqual({ type: ["string", "null"], enum: ["a"] });
    expect(property({ const: true })).toEqual({ type: "boolean", description: "(one of: true)" });
    expect(property({ type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 })).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 9,
    });
    expect(property({ type: "number", exclusiveMinimum: 0 })).toEqual({
      type: "number",
      minimum: 0,
      description: "(greater than 0)",
    });
    expect(
      property({ type: "string", minLength: 2, format: "uri", description: "A link." }),
    ).toEqual({
      type: "string",
      description: "A link. (minLength: 2; format: uri)",
    });
    expect(property({ type: "string", format: "date-time" })).toEqual({
      type: "string",
      format: "date-time",
    });
  });

  it("brings unions and parts into one form", () => {
    expect(property({ oneOf: [{ type: "string" }, { type: "null" }] })).toEqual({
      anyOf: [{ type: "string" }, { type: "null" }],
    });
    expect(
      property(
        {
          allOf: [
            { $ref: "#/$defs/base" },
            { properties: { b: { type: "number" } }, required: ["b"] },
          ],
        },
        {
          $defs: {
            base: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          },
        },
      ),
    ).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "number" } },
      required: ["a", "b"],
    });
    expect(
      property({ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }),
    ).toEqual({ type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } });
  });

  it("has an object at its root, whatever it was", () => {
    expect(geminiSchema(undefined)).toEqual({ type: "object", properties: {} });
    expect(
      geminiSchema({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        additionalProperties: false,
        anyOf: [
          { properties: { id: { type: "string" }, a: { type: "number" } }, required: ["id", "a"] },
          { properties: { id: { type: "string" } }, required: ["id"] },
        ],
      }),
    ).toEqual({
      type: "object",
      properties: { id: { type: "string" }, a: { type: "number" } },
      required: ["id"],
    });
  });

  it("leaves the tool's own schema as it was", () => {
    const schema = { type: "object", properties: { k: { const: "x" } } };
    geminiSchema(schema);
    expect(schema).toEqual({ type: "object", properties: { k: { const: "x" } } });
  });
});
