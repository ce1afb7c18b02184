import { describe, expect, it } from "vitest";
import { plainObjectRoot } from "./root-schema.ts";

const word = { type: "string" };
const count = { type: "number" };

describe("plainObjectRoot", () => {
  it("leaves a plain object as it is", () => {
    const schema = { type: "object", properties: { word }, required: ["word"], title: "t" };
    expect(plainObjectRoot(schema)).toEqual(schema);
  });

  it("puts the variants of a union together and requires what all of them require", () => {
    const schema = {
      $defs: { ByCount: { properties: { word, count }, required: ["word", "count"] } },
      oneOf: [{ properties: { word }, required: ["word", "lost"] }, { $ref: "#/$defs/ByCount" }],
    };
    expect(plainObjectRoot(schema)).toEqual({
      $defs: schema.$defs,
      type: "object",
      properties: { word, count },
      required: ["word"],
    });
  });

  it("requires all that the parts of an intersection require", () => {
    const schema = {
      type: ["object", "null"],
      properties: { word },
      allOf: [{ properties: { count }, required: ["count"] }, true, { required: ["word"] }],
      not: { required: ["count"] },
    };
    expect(plainObjectRoot(schema)).toEqual({
      type: "object",
      properties: { word, count },
      required: ["count", "word"],
    });
  });
});
