import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentsFrom, parseArguments, StreamedJson } from "./streamed-json.ts";

function stream(...deltas: string[]): StreamedJson {
  const json = new StreamedJson();
  for (const delta of deltas) json.append(delta);
  return json;
}

/** Whether a value is one that the whole value may have looked like on its way. */
function isPrefix(partial: unknown, whole: unknown): boolean {
  if (typeof partial === "string") return typeof whole === "string" && whole.startsWith(partial);
  if (Array.isArray(partial)) {
    return (
      Array.isArray(whole) &&
      partial.length <= whole.length &&
      partial.every((item, index) =>
        index < partial.length - 1
          ? JSON.stringify(item) === JSON.stringify(whole[index])
          : isPrefix(item, whole[index]),
      )
    );
  }
  if (typeof partial === "object" && partial !== null) {
    return (
      typeof whole === "object" &&
      whole !== null &&
      !Array.isArray(whole) &&
      Object.entries(partial).every(
        ([key, inner]) =>
          Object.hasOwn(whole, key) && isPrefix(inner, (whole as Record<string, unknown>)[key]),
      )
    );
  }
  return Object.is(partial, whole);
}

/** Any object of JSON, as JSON has it: without -0. */
const anyObject = fc
  .dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" }))
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

/** Cuts a text in pieces at the given places. */
function cut(text: string, places: number[]): string[] {
  const borders = [...new Set(places.map((place) => place % (text.length + 1)))].sort(
    (a, b) => a - b,
  );
  return [0, ...borders].map((from, index) => text.slice(from, borders[index] ?? text.length));
}

describe("arguments that stream in", () => {
  it("P-330, P-331: any object, split anywhere, is there exactly at the end and a prefix of itself before", () => {
    fc.assert(
      fc.property(
        anyObject,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom(0, 2),
        (value, places, indent) => {
          const text = JSON.stringify(value, undefined, indent);
          const json = new StreamedJson();
          for (const piece of cut(text, places)) {
            json.append(piece);
            expect(isPrefix(json.value, value)).toBe(true);
          }
          expect(json.text).toBe(text);
          expect(json.value).toEqual(value);
          expect(parseArguments(json.text)).toEqual({ arguments: value });
        },
      ),
      { numRuns: 400 },
    );
  });

  it("P-330: no text whatever makes it throw, and the value is always an object", () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string(),
        fc.constantFrom("{", "}", "[", "]", ":", ",", '"', "\\", "\\u", "0", "-", "tru", " "),
      ),
    );
    fc.assert(
      fc.property(pieces, (deltas) => {
        const { value } = stream(...deltas);
        expect(Object.prototype.toString.call(value)).toBe("[object Object]");
        const { arguments: complete } = parseArguments(deltas.join(""));
        expect(Object.prototype.toString.call(complete)).toBe("[object Object]");
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ['{"city":"Os', { city: "Os" }],
    ['{"city":', {}],
    ['{"ci', {}],
    ['{"a":[1,{"b":"x', { a: [1, { b: "x" }] }],
    ['{"a":12', {}],
    ['{"a":12,', { a: 12 }],
    ['{"a":tru', {}],
    ['{"a":"\\u00', { a: "" }],
    ['{"a":"\\u00e9', { a: "é" }],
    ["", {}],
    ["[1,2", {}],
    ['"text', {}],
  ])("P-330: of %s it shows what is there", (text, expected) => {
    expect(stream(text).value).toEqual(expected);
    expect(stream(...text).value).toEqual(expected);
  });

  it("P-331: the value is built in place", () => {
    const json = stream('{"a":[1,');
    const { value } = json;
    json.append("2]}");
    expect(json.value).toBe(value);
    expect(value).toEqual({ a: [1, 2] });
  });

  it("P-331: characters are looked at once, however many deltas bring them", () => {
    const json = new StreamedJson();
    json.append('{"text":"');
    for (let count = 0; count < 200_000; count++) json.append("word ");
    json.append('"}');
    expect(json.value.text).toHaveLength(1_000_000);
  });

  it("keys that objects have by themselves are keys like any other", () => {
    const text = '{"__proto__":{"x":1},"constructor":2}';
    const { value } = stream(...text);
    expect(JSON.stringify(value)).toBe(text);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("complete arguments", () => {
  it("P-332: blank text is no arguments, and no mistake", () => {
    expect(parseArguments(" \n")).toEqual({ arguments: {} });
  });

  it("P-332: raw control characters and lone backslashes in strings are mended", () => {
    expect(parseArguments('{"a":"one\ntwo\tthree"}')).toEqual({
      arguments: { a: "one\ntwo\tthree" },
    });
    expect(parseArguments('{"path":"C:\\dir\\u12"}')).toEqual({
      arguments: { path: "C:\\dir\\u12" },
    });
  });

  it.each(['{"d":1}{"d":2}', '{"a":', "[1]", "12", '"x"', "null"])(
    "P-014, B026: %s is no object: the arguments are empty and the text is quoted",
    (text) => {
      const { arguments: given, argumentsError } = parseArguments(text);
      expect(given).toEqual({});
      expect(argumentsError).toContain(text);
    },
  );

  it("P-014: a long text is quoted in part", () => {
    const { argumentsError } = parseArguments(`{"a":"${"x".repeat(5000)}`);
    expect(argumentsError?.length).toBeLessThan(600);
  });

  it("B024: arguments may come as an object", () => {
    expect(argumentsFrom({ city: "Oslo" })).toEqual({ arguments: { city: "Oslo" } });
    expect(argumentsFrom('{"city":"Oslo"}')).toEqual({ arguments: { city: "Oslo" } });
    expect(argumentsFrom(null)).toEqual({ arguments: {} });
    expect(argumentsFrom([1]).argumentsError).toContain("[1]");
  });
});
