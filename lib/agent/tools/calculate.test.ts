import { beforeAll, describe, expect, it } from "vitest";
import { textOf, user } from "../testing/harness.ts";
import { calculateTool } from "./calculate.ts";
import { builtinTools } from "./index.ts";

const calculate = async (expression: string): Promise<string> => {
  const result = await calculateTool().execute(
    "1",
    { expression },
    new AbortController().signal,
    () => {},
  );
  expect(result.details).toEqual({ expression, result: textOf({ ...user(""), ...result }) });
  return textOf({ ...user(""), ...result });
};

// The calculator is loaded with the first call, which a busy machine may take its time for.
beforeAll(() => calculate("1"), 60_000);

describe("calculate", () => {
  it.each([
    ["12.5% of 840", "105"],
    ["(2 + 3)% of 200", "10"],
    ["sqrt(16)% of 50", "2"],
    ["20% of 50% of 200", "20"],
    ["3 + 5% of 40", "5"],
    ["200 + 10%", "220"],
    ["100 + 10% - 5", "105"],
    ["12.5% + 3", "3.125"],
    ["50%", "0.5"],
    ["10 % 3", "1"],
    ["x = 8; x% of 50", "4"],
    ["2 ** 10", "1024"],
    ["6 × 7 ÷ 2 − 1", "20"],
    ["0.1 + 0.2", "0.3"],
    ["1/3", "0.33333333333333"],
    ["2^100", "1.2676506002282e+30"],
    ["1234567 * 2", "2469134"],
    ["2^53 - 1", "9007199254740991"],
    ["-2^2", "-4"],
    ["5!", "120"],
    ["sin(30 deg)", "0.5"],
    ["e^(i * pi)", "-1"],
    ["sqrt(-4)", "2i"],
    ["5 km to mile", "3.1068559611867 mile"],
    ["100 celsius to fahrenheit", "212 fahrenheit"],
    ["a = 3; b = 4; sqrt(a^2 + b^2)", "5"],
    ["a = 2; a(3 + 4)", "14"],
    ["1 < 2 < 3", "true"],
    ["1 > 2 ? 10 : 20", "20"],
    ["mean([1, 2, 3, 4])", "2.5"],
    ["sum(1:100)", "5050"],
    ["[4, 5, 6][2]", "5"],
    ["[1, 2; 3, 4]^3", "[[37, 54], [81, 118]]"],
    ["det([1, 2; 3, 4])", "-2"],
    ["combinations(49, 6)", "13983816"],
    ["isPrime(97)", "true"],
    ["hex(255)", "0xff"],
  ])("%s is %s", async (expression, result) => {
    expect(await calculate(expression)).toBe(result);
  });

  it.each([
    ["", "There is nothing to calculate."],
    ["2 +", "The expression cannot be read: Unexpected end of expression."],
    ["% 3", "The expression cannot be read: a % needs a number before it."],
    ["foo(1)", "Unknown function: foo."],
    ["foo", "Unknown name: foo."],
    ["sin", "sin is a function: write sin(…)."],
    ['"abc"', "Text cannot be calculated with"],
    ["[1, 2][3]", "There is no element 3; the first one is 1."],
    ["5 km + 3 kg", "Units do not match"],
    [`${"1+".repeat(600)}1`, "The expression is too long: 1201 characters, at most 1000."],
  ])("says what is wrong with %j", async (expression, message) => {
    await expect(calculate(expression)).rejects.toThrow(message);
  });

  it.each([
    ["a name of the library", "import({a: 1})"],
    ["its own evaluator", 'evaluate("1")'],
    ["a configuration", "config({})"],
    ["a unit of one's own", 'createUnit("x")'],
    ["a property", "[1].constructor"],
    ["the prototype", "__proto__"],
    ["an inherited function", "hasOwnProperty(1)"],
    ["an object", "{a: 1}"],
    ["a function without end", "f(x) = f(x); f(1)"],
  ])("cannot reach %s", async (_kind, expression) => {
    await expect(calculate(expression)).rejects.toThrow(/^(Unknown|Text|Values|Only|Functions)/);
  });

  it.each([
    ["a huge matrix", "zeros(1e5, 1e5)"],
    ["an endless range", "1:1e12"],
    ["a range without a step", "1:0:5"],
    ["a list that doubles", `x = [1];${"x = [x, x];".repeat(60)}`],
    ["an outer product", "x = [1:2000]; x' * x"],
    ["a sum of lists that spread", "x = [1:2000]; x' + x"],
    ["a power of a matrix without end", "[1, 1; 1, 0]^1e300"],
    ["a product with a billion factors", "permutations(1e9, 1e8)"],
    ["a search for divisors without end", "isPrime(1e15 + 37)"],
    ["big numbers", "bignumber(10)^(1e9)"],
    ["percentages within percentages", `${"1%(".repeat(200)}1%0${")".repeat(200)}^`],
  ])("refuses %s", async (_kind, expression) => {
    await expect(calculate(expression)).rejects.toThrow(
      /^(Unknown function|Lists and matrices|The calculation is too large|The expression)/,
    );
  });

  it("takes nested remainders and parentheses in its stride", async () => {
    expect(await calculate(`${"1%(".repeat(200)}2${")".repeat(200)}`)).toBe("0");
  });
});

it("builtinTools: names, labels and schemas that a vendor takes", () => {
  const described = builtinTools().map(({ name, label, parameters }) => [
    name,
    label,
    parameters.type,
  ]);
  expect(described).toEqual([
    ["get_current_time", "Current time", "object"],
    ["calculate", "Calculator", "object"],
  ]);
});
