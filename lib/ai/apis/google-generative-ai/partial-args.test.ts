import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartialArguments, parsePath } from "./partial-args.ts";

type Piece = Record<string, unknown>;

function streamed(...pieces: Piece[]): { deltas: string[]; whole: string | undefined } {
  const args = new PartialArguments();
  const deltas = pieces.map((piece) => args.add([piece]));
  deltas.push(args.close());
  return { deltas, whole: args.whole };
}

describe("arguments that come as paths and pieces", () => {
  it("become JSON text as they come", () => {
    const { deltas, whole } = streamed(
      { jsonPath: "$.city", stringValue: "Par", willContinue: true },
      { jsonPath: "$.city", stringValue: 'is "1"', willContinue: true },
      { jsonPath: "$.city", stringValue: "" },
      { jsonPath: "$.days[0].min", numberValue: -1.5 },
      { jsonPath: "$.days[0].dry", boolValue: true },
      { jsonPath: "$.days[1].min", nullValue: "NULL_VALUE" },
      { jsonPath: "$['a key']", stringValue: "v" },
    );
    expect(deltas).toEqual([
      '{"city":"Par',
      'is \\"1\\"',
      '"',
      ',"days":[{"min":-1.5',
      ',"dry":true',
      '},{"min":null',
      '}],"a key":"v"',
      "}",
    ]);
    expect(whole).toBeUndefined();
  });

  it("are whole in the end when they come out of order", () => {
    const { whole } = streamed(
      { jsonPath: "$.a.x", numberValue: 1 },
      { jsonPath: "$.b", stringValue: "on", willContinue: true },
      { jsonPath: "$.a.y", numberValue: 2 },
      { jsonPath: "$.b", stringValue: "going" },
    );
    expect(JSON.parse(whole ?? "")).toEqual({ a: { x: 1, y: 2 }, b: "ongoing" });
  });

  it("may be none, and what is no piece is passed over", () => {
    expect(streamed().deltas).toEqual(["{}"]);
    const odd = streamed({ jsonPath: "a", numberValue: 1 }, { jsonPath: "$" }, { jsonPath: "$.b" });
    expect(odd.deltas.join("")).toBe("{}");
    expect(streamed({ jsonPath: "$.a[999999999]", numberValue: 1 }).deltas.join("")).toBe("{}");
  });

  it("read paths with quotes and escapes", () => {
    expect(parsePath(`$.a["b.c"]['d\\'e'][3]`)).toEqual(["a", "b.c", "d'e", 3]);
    expect(parsePath("$.__proto__")).toEqual(["__proto__"]);
    expect(parsePath("$..a")).toBeUndefined();
  });

  it("give any object whose leaves come in order", () => {
    const leaf = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.integer());
    const { tree } = fc.letrec((tie) => ({
      tree: fc.dictionary(fc.string({ minLength: 1 }), tie("node"), { minKeys: 1, maxKeys: 4 }),
      node: fc.oneof(
        { depthSize: "small" },
        leaf,
        tie("tree"),
        fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const wanted = JSON.parse(JSON.stringify(value)) as unknown;
        const { deltas, whole } = streamed(...piecesOf(wanted, "$"));
        expect(whole).toBeUndefined();
        expect(JSON.parse(deltas.join(""))).toEqual(wanted);
      }),
    );
  });
});

function piecesOf(value: unknown, jsonPath: string): Piece[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => piecesOf(item, `${jsonPath}[${index}]`));
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) =>
      piecesOf(inner, `${jsonPath}[${JSON.stringify(key)}]`),
    );
  }
  if (typeof value === "string") {
    const half = value.length >> 1;
    return [
      { jsonPath, stringValue: value.slice(0, half), willContinue: true },
      { jsonPath, stringValue: value.slice(half) },
    ];
  }
  if (typeof value === "number") return [{ jsonPath, numberValue: value }];
  return [
    typeof value === "boolean"
      ? { jsonPath, boolValue: value }
      : { jsonPath, nullValue: "NULL_VALUE" },
  ];
}
