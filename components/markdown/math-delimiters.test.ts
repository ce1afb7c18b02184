import { describe, expect, it } from "vitest";
import { normalizeMath } from "./math-delimiters";

describe("formulas and dollars", () => {
  it.each([
    ["It costs $5 and $10.", "It costs \\$5 and \\$10."],
    ["from $5-$10 a day", "from \\$5-\\$10 a day"],
    ["where $x$ is", "where $x$ is"],
    ["$a$, then $5", "$a$, then \\$5"],
    ["a \\(x^2\\) b", "a $x^2$ b"],
    ["\\[\nx = 1\n\\]", "$$\nx = 1\n$$"],
    ["$$\nx\n$$", "$$\nx\n$$"],
    ["`$x` and \\$3", "`$x` and \\$3"],
    ["```sh\necho $HOME \\(x\\)\n```", "```sh\necho $HOME \\(x\\)\n```"],
    ["```sh\necho $HOME", "```sh\necho $HOME"],
  ])("%j", (source, expected) => {
    expect(normalizeMath(source)).toBe(expected);
  });
});
